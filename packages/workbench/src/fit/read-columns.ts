import type { Column, Marginals, Schema } from "conformant";
import type { NumberStyle } from "conformant/texts";
import type { Counted, TextCounts } from "../columns/column-counts.ts";
import type { ChosenColumn, ColumnDecision } from "../columns/column-decision.ts";
import type { ColumnOptions } from "../columns/column-options.ts";
import { alsoColumns, isNamed, ownColumns } from "../columns/column-options.ts";
import { type Inquiry, inferColumn, inferManyValued, refuseColumn } from "../columns/infer-columns.ts";
import { findNumberStyles } from "../columns/number-styles.ts";
import { MOST_CATEGORIES } from "../columns/sequence-columns.ts";
import { columnNamed } from "../source/positions.ts";
import { quoted } from "../source/quoted.ts";
import type { Reporter } from "../source/reporter.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";

/** The columns of a source as a classifier can use them. */
export interface ColumnReading<Cells extends CellReading = CellReading> {
  readonly rows: number;
  /** The chosen columns and, where there is one, the label. */
  readonly fields: Cells;
  /** The columns of the classifier and, behind them, those that only help to tell what is missing. */
  readonly chosen: readonly ChosenColumn[];
  readonly also: readonly Column[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  /** The counts of the label. */
  readonly label?: TextCounts | undefined;
}

/** How the columns of a table are read. */
export interface ReadingRules {
  /** What a person says about them. */
  readonly columns: ColumnOptions;
  /** Texts that stand for a gap. */
  readonly gaps: readonly string[];
  /** Atoms of a number. */
  readonly bins: number;
}

/** Reads what the columns of a source are, for training a classifier on the label. */
export async function readColumns<Cells extends CellReading>(
  source: TableSource<Cells>,
  label: string,
  rules: ReadingRules,
  messages: Reporter,
): Promise<ColumnReading<Cells>> {
  const options = rules.columns;
  const own = ownColumns(source, options, label);
  const beside = alsoColumns(source, options, own, label);
  const asked = screenNames(source, [...own, ...beside], options);
  await source.prepare([...asked.usable, label]);
  const counted = await countCandidates(source, asked, label, rules, messages);
  const { rows, styles, columns } = counted.inquiry;
  requireRows(source, rows);
  const verdicts = await judgeAll(counted, options, messages);
  const leftOut = leftOutOf(verdicts);
  if (chosenOf(verdicts, own).length === 0) throw noColumns(source.name, leftOut);
  const also = chosenOf(verdicts, beside);
  const chosen = [...chosenOf(verdicts, own), ...also];
  const numbers = chosen.filter((column) => isNumber(column, options));
  const fields = verifiedCells(source, { chosen, numbers, styles }, rules.gaps, [label]);
  return {
    rows,
    fields,
    chosen,
    also: also.map(({ column }) => column),
    leftOut,
    label: columns.get(label) as TextCounts | undefined,
  };
}

/**
 * Reads what columns beside those of a classifier are, which only help to tell what is missing.
 *
 * @param names columns of a source that is prepared for them
 */
export async function readBeside<Cells extends CellReading>(
  source: TableSource<Cells>,
  names: readonly string[],
  rules: ReadingRules,
  messages: Reporter,
): Promise<Pick<ColumnReading, "chosen" | "leftOut"> & Pick<Inquiry, "styles">> {
  const asked = screenNames(source, names, rules.columns);
  if (asked.usable.length === 0) return { chosen: [], leftOut: leftOutOf(asked.refused), styles: new Map() };
  const counted = await countCandidates(source, asked, undefined, rules, messages);
  const verdicts = await judgeAll(counted, rules.columns, messages);
  return {
    chosen: chosenOf(verdicts, names),
    leftOut: leftOutOf(verdicts),
    styles: counted.inquiry.styles,
  };
}

/** Whether every value of a column was read as a number. */
export function isNumber(
  { column: { name, kind } }: ChosenColumn,
  { types }: Pick<ColumnOptions, "types">,
): boolean {
  return kind === "numeric" || (kind === "binary" && types.get(name) !== "binary");
}

/** Columns of which it is known whether they can be used, whatever their values are. */
interface ScreenedNames {
  readonly refused: readonly ColumnDecision[];
  readonly usable: readonly string[];
}

function screenNames<Cells extends CellReading>(
  source: TableSource<Cells>,
  names: readonly string[],
  options: ColumnOptions,
): ScreenedNames {
  const refused = names.flatMap((name) => [
    ...refuseUnnamed(source, name, options),
    ...refuseColumn(source, name, isNamed(options, name) || options.types.has(name)),
  ]);
  const unusable = new Set(refused.map(({ name }) => name));
  return { refused, usable: names.filter((name) => !unusable.has(name)) };
}

/** What is known of the columns that come into question once their values are counted. */
interface CountedCandidates<Cells extends CellReading> extends ScreenedNames {
  readonly inquiry: Inquiry<Cells> & { readonly columns: ReadonlyMap<string, Counted> };
  /** Those with too many different values to count. */
  readonly manyValued: readonly string[];
}

/** Counts the values of columns of a prepared source that come into question, and of the label. */
async function countCandidates<Cells extends CellReading>(
  source: TableSource<Cells>,
  { refused, usable }: ScreenedNames,
  label: string | undefined,
  { columns: options, gaps, bins }: ReadingRules,
  messages: Pick<Reporter, "progress" | "tried">,
): Promise<CountedCandidates<Cells>> {
  const { types, decimal } = options;
  const named = (name: string): boolean => isNamed(options, name);
  const labels = label === undefined ? [] : [label];
  const texts = [...usable.filter((name) => types.get(name) === "categorical"), ...labels];
  messages.progress("counting values");
  const plain = source.cells([...usable, ...labels], { gaps });
  const open = usable.filter((name) => !texts.includes(name));
  const styles = await findNumberStyles(source, plain, open, decimal);
  const numbers = await source.guessNumbers(plain, styles);
  const cells = source.cells([...usable, ...labels], { gaps, numbers, texts });
  const manyValued = (await source.findManyValued(cells, 2 * MOST_CATEGORIES)).filter(
    (name) => name !== label && !types.has(name),
  );
  const few = [...cells.fields.keys()].filter((name) => !manyValued.includes(name));
  const { rows, columns } = await source.count(cells, few, bins, (done) =>
    messages.progress("counting values", done, few.length),
  );
  return {
    inquiry: { source, cells, rows, styles, gaps, bins, named, columns },
    refused,
    usable,
    manyValued,
  };
}

function judgeColumn<Cells extends CellReading>(
  { inquiry, manyValued }: CountedCandidates<Cells>,
  name: string,
  { types }: ColumnOptions,
): Promise<ColumnDecision> {
  return manyValued.includes(name)
    ? inferManyValued(inquiry, name)
    : inferColumn(inquiry, name, inquiry.columns.get(name) as Counted, types.get(name));
}

/** What became of the columns, and a word about those of which a person may expect something else. */
async function judgeAll<Cells extends CellReading>(
  counted: CountedCandidates<Cells>,
  options: ColumnOptions,
  messages: Reporter,
): Promise<ColumnDecision[]> {
  const verdicts: ColumnDecision[] = [...counted.refused];
  for (const name of counted.usable) verdicts.push(await judgeColumn(counted, name, options));
  for (const { name, note } of verdicts)
    if (note) messages.warn(`${quoted(counted.inquiry.source.name)}, column ${quoted(name)}: ${note}`);
  return verdicts;
}

/** What a column of a table is, for someone who has not said yet what to predict. */
export interface ColumnSurvey extends ColumnDecision {
  /** What keeps it from being read, and what may help. */
  readonly problem?: { readonly message: string; readonly hint: string | undefined };
}

/** What each column of a table is taken for; what would be an error in a fit is a word about the column. */
export async function surveyColumns<Cells extends CellReading>(
  source: TableSource<Cells>,
  rules: ReadingRules,
  messages: Pick<Reporter, "progress" | "tried">,
): Promise<ColumnSurvey[]> {
  const options = rules.columns;
  const asked = screenNames(source, ownColumns(source, options, undefined), options);
  await source.prepare(asked.usable);
  const counted = await countCandidates(source, asked, undefined, rules, messages);
  requireRows(source, counted.inquiry.rows);
  const surveys = [...counted.refused];
  for (const name of counted.usable) {
    const verdict = judgeColumn(counted, name, options).catch((thrown: unknown): ColumnSurvey => {
      if (!(thrown instanceof TableError)) throw thrown;
      return { name, chosen: [], problem: { message: thrown.message, hint: thrown.hint } };
    });
    surveys.push(await verdict);
  }
  return surveys;
}

/** Columns of which every value has been seen. */
interface SeenColumns {
  readonly chosen: readonly ChosenColumn[];
  /** Those of them that are read as numbers, and how their numbers are written. */
  readonly numbers: readonly ChosenColumn[];
  readonly styles: ReadonlyMap<string, NumberStyle>;
}

/** The cells of columns of which every value has been seen, and of others. */
export function verifiedCells<Cells extends CellReading>(
  source: TableSource<Cells>,
  { chosen, numbers: inNumbers, styles }: SeenColumns,
  gaps: readonly string[],
  others: readonly string[] = [],
): Cells {
  const names = chosen.map(({ column }) => column.name);
  const numbers = new Map(
    inNumbers.flatMap(({ column: { name } }) => {
      const style = styles.get(name);
      return style ? [[name, style] as const] : [];
    }),
  );
  const categories = new Map(
    chosen.flatMap(({ column }) =>
      column.kind === "categorical" ? [[column.name, column.values] as const] : [],
    ),
  );
  return source.cells([...names, ...others], { gaps, numbers, categories, verified: true });
}

/** A column without a name, among others that have one, is what programs number rows with; an empty key of JSON is no name either. */
function refuseUnnamed<Cells extends CellReading>(
  { columns, remedies }: TableSource<Cells>,
  name: string,
  options: ColumnOptions,
): ColumnDecision[] {
  if (name === "") return [{ name, chosen: [], leftOut: "it has no name, which a model needs" }];
  const isUnnamed = columnNamed(columns, name)?.unnamed ?? false;
  if (!isUnnamed || isNamed(options, name) || options.types.has(name)) return [];
  const leftOut = `it has no name, as the row numbers that pandas and R write; ${remedies.keepColumn(name)}`;
  return [{ name, chosen: [], leftOut }];
}

function chosenOf(verdicts: readonly ColumnDecision[], names: readonly string[]): ChosenColumn[] {
  return verdicts.flatMap((verdict) => (names.includes(verdict.name) ? verdict.chosen : []));
}

function leftOutOf(verdicts: readonly ColumnDecision[]): ColumnReading["leftOut"] {
  return verdicts.flatMap(({ name, leftOut: why }) => (why === undefined ? [] : [{ name, why }]));
}

function noColumns(table: string, leftOut: ColumnReading["leftOut"]): TableError {
  const reasons = leftOut.map(({ name, why }) => `${quoted(name)}: ${why}`).join("; ");
  const message = `${quoted(table)} has no column to learn from${reasons && ` (${reasons})`}`;
  return new TableError("no-columns", message);
}

export function requireRows({ name }: { readonly name: string }, rows: number): void {
  if (rows === 0)
    throw new TableError("empty-data", `${quoted(name)} has columns but no rows, expected at least one`);
}

/** The marginals of a classifier's columns; a category that only the classifier knows has count 0. */
export function marginalsOf(reading: Pick<ColumnReading, "chosen" | "rows">, schema: Schema): Marginals {
  const chosen = new Map(reading.chosen.map((column) => [column.column.name, column]));
  return {
    schema,
    rows: reading.rows,
    columns: schema.columns.map((column) => widen(column, chosen.get(column.name) as ChosenColumn)),
  };
}

function widen(column: Column, { column: counted, marginal }: ChosenColumn): ChosenColumn["marginal"] {
  if (column.kind !== "categorical" || counted.kind !== "categorical" || marginal.kind !== "discrete")
    return marginal;
  const places = new Map(counted.values.map((value, code) => [value, code]));
  return {
    kind: "discrete",
    counts: Float64Array.from(column.values, (value) => marginal.counts[places.get(value) ?? -1] ?? 0),
  };
}
