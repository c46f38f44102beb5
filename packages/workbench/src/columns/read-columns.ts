import type { CategoricalColumn, Column, Marginals, Schema } from "conformant";
import {
  isMissingText,
  MISSING_TEXTS,
  type NumberStyle,
  PLAIN_NUMBERS,
  readNumberText,
  trimText,
} from "conformant/texts";
import { counted } from "../source/count.ts";
import { columnNamed } from "../source/positions.ts";
import { quoted } from "../source/quoted.ts";
import type { Reporter } from "../source/reporter.ts";
import { TableError } from "../source/table-error.ts";
import { type CellField, type CellReading, type TableSource, timeStyle } from "../source/table-source.ts";
import type { Counted, TextCounts } from "./column-counts.ts";
import type { ChosenColumn, ColumnDecision } from "./column-decision.ts";
import { type ColumnNote, noteOfGaps, noteOfGroup, noteText } from "./column-notes.ts";
import type { ColumnOptions, StoredReading } from "./column-options.ts";
import { alsoColumns, isNamed, ownColumns } from "./column-options.ts";
import { beginningOf, type ColumnBeginning, type NamedNote, relateColumns } from "./column-relations.ts";
import { type Inquiry, inferColumn, inferManyValued, refuseColumn } from "./infer-columns.ts";
import { findNumberStyles, proposeStyle } from "./number-styles.ts";
import { MOST_CATEGORIES } from "./sequence-columns.ts";

/** The columns of a source as a classifier can use them. */
export interface ColumnReading<Cells extends CellReading = CellReading> {
  readonly rows: number;
  /** The chosen columns and, where there is one, the label. */
  readonly fields: Cells;
  /** The columns of the classifier and, behind them, those that only help to tell what is missing. */
  readonly chosen: readonly ChosenColumn[];
  readonly also: readonly Column[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  /** What was decided about columns, or is doubtful. */
  readonly notes: readonly NamedNote[];
  /** How its texts were read, for later files. */
  readonly stored: StoredReading;
  /** The counts of the label. */
  readonly label?: TextCounts | undefined;
  /** The column whose rows with the same value are held out together. */
  readonly group?: CategoricalColumn | undefined;
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
  const groups = options.group === undefined ? [] : [options.group];
  await source.prepare([...asked.usable, label, ...groups]);
  const candidates = await countCandidates(source, asked, [label, ...groups], rules, messages);
  const { rows, styles, columns } = candidates.inquiry;
  requireRows(source, rows);
  const decisions = await judgeAll(candidates, options);
  const leftOut = leftOutOf(decisions);
  if (chosenOf(decisions, own).length === 0) throw noColumns(source.name, leftOut);
  const also = chosenOf(decisions, beside);
  const chosen = [...chosenOf(decisions, own), ...also];
  const numbers = chosen.filter((column) => isNumber(column, options));
  const gapsIn = gapsOfDecisions(decisions);
  const fields = verifiedCells(source, { chosen, numbers, styles, gapsIn }, rules.gaps, [label, ...groups]);
  const notes = [...notesOf(decisions), ...relationsOf(candidates, decisions, label)];
  report(source.name, notes, messages);
  return {
    rows,
    fields,
    chosen,
    also: also.map(({ column }) => column),
    leftOut,
    notes,
    stored: storedReading(source, rules, { numbers, styles, gapsIn }),
    label: columns.get(label) as TextCounts | undefined,
    ...(options.group !== undefined && {
      group: groupColumn(source, options.group, columns.get(options.group)),
    }),
  };
}

/** The column of groups; two or more rows must share a value, and there must be two or more values. */
function groupColumn(
  { name: table }: Pick<TableSource, "name">,
  name: string,
  counts: Counted | undefined,
): CategoricalColumn {
  const where = `${quoted(table)}, --group ${quoted(name)}`;
  if (counts?.kind !== "text")
    throw new TableError(
      "unsupported-type",
      `${where}: expected names or numbers, got a date or a nested value`,
    );
  const { size } = counts.counts;
  if (counts.tooMany || size < 2 || size === counts.known) {
    const got = counts.tooMany
      ? "too many values to count"
      : size === counts.known && size > 1
        ? "a different value in each row"
        : counted(size, "value");
    throw new TableError(
      "invalid-value",
      `${where}: expected two or more values that several rows have, got ${got}`,
    );
  }
  return { name, kind: "categorical", values: [...counts.counts.keys()] };
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
): Promise<Pick<ColumnReading, "chosen" | "leftOut" | "notes"> & Pick<SeenColumns, "styles" | "gapsIn">> {
  const asked = screenNames(source, names, rules.columns);
  if (asked.usable.length === 0)
    return { chosen: [], leftOut: leftOutOf(asked.refused), notes: [], styles: new Map() };
  const candidates = await countCandidates(source, asked, [], rules, messages);
  const decisions = await judgeAll(candidates, rules.columns);
  const notes = notesOf(decisions);
  report(source.name, notes, messages);
  return {
    chosen: chosenOf(decisions, names),
    leftOut: leftOutOf(decisions),
    notes,
    styles: candidates.inquiry.styles,
    gapsIn: gapsOfDecisions(decisions),
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
    ...(isReadableTime(source, name, options)
      ? []
      : refuseColumn(source, name, isNamed(options, name) || options.types.has(name))),
  ]);
  const unusable = new Set(refused.map(({ name }) => name));
  return { refused, usable: names.filter((name) => !unusable.has(name)) };
}

/** Whether a column of dates or times is read as numbers. */
function isReadableTime<Cells extends CellReading>(
  { columns }: TableSource<Cells>,
  name: string,
  { types }: ColumnOptions,
): boolean {
  const column = columnNamed(columns, name);
  const isTime = column !== undefined && timeStyle(column) !== undefined;
  return isTime && (types.get(name) ?? "numeric") === "numeric";
}

/** What is known of the columns that come into question once their values are counted. */
export interface CountedCandidates<Cells extends CellReading> extends ScreenedNames {
  readonly inquiry: Inquiry<Cells> & { readonly columns: ReadonlyMap<string, Counted> };
  /** The texts of the first rows, by column; null for a missing value. */
  readonly beginnings: ReadonlyMap<string, readonly (string | null)[]>;
  /** Notes about texts that are read as missing, by column. */
  readonly gapNotes: ReadonlyMap<string, readonly ColumnNote[]>;
  /** What a person should know about how numbers are written, by column. */
  readonly styleNotes: ReadonlyMap<string, ColumnNote>;
  /** Those with too many different values to count. */
  readonly manyValued: readonly string[];
}

/**
 * Counts the values of columns of a prepared source that come into question.
 *
 * @param labels columns that are read as texts, whatever they hold: the label and that of groups
 */
async function countCandidates<Cells extends CellReading>(
  source: TableSource<Cells>,
  { refused, usable }: ScreenedNames,
  labels: readonly string[],
  { columns: options, gaps, bins }: ReadingRules,
  messages: Pick<Reporter, "progress" | "tried">,
): Promise<CountedCandidates<Cells>> {
  const { types, decimal } = options;
  const named = (name: string): boolean => isNamed(options, name);
  const texts = [...usable.filter((name) => types.get(name) === "categorical"), ...labels];
  messages.progress("counting values");
  const plain = source.cells([...usable, ...labels], { gaps });
  const open = usable.filter((name) => !texts.includes(name));
  const styles = await findNumberStyles(source, plain, open, { decimal });
  const { beginnings, gapNotes } = await readBeginnings(source, plain, [...usable, ...labels]);
  const styleNotes = new Map<string, ColumnNote>();
  const numbers = new Map([...styles].filter(([, { date }]) => date));
  for (const [name, style] of styles) {
    const texts = plain.fields.get(name)?.storage === "text" ? beginnings.get(name) : undefined;
    if (!texts) continue;
    const different = [...new Set(texts.filter((text) => text !== null))];
    const proposed = proposeStyle(
      different,
      style,
      decimal !== undefined || source.mayHaveCommas,
      name,
      source.remedies,
    );
    if (!proposed) continue;
    styles.set(name, proposed.style);
    if (proposed.isWhole) numbers.set(name, proposed.style);
    if (proposed.note) styleNotes.set(name, proposed.note);
  }
  const cells = source.cells([...usable, ...labels], { gaps, numbers, texts });
  const manyValued = (await source.findManyValued(cells, 2 * MOST_CATEGORIES)).filter(
    (name) => !labels.includes(name) && !types.has(name),
  );
  const few = [...cells.fields.keys()].filter((name) => !manyValued.includes(name));
  const { rows, columns } = await source.count(cells, few, bins, (done) =>
    messages.progress("counting values", done, few.length),
  );
  return {
    inquiry: { source, cells, rows, styles, gaps, bins, named, columns },
    beginnings,
    gapNotes,
    styleNotes,
    refused,
    usable,
    manyValued,
  };
}

/** Cells at the beginning that are looked at, and the rows that this makes of any number of columns. */
const [FIRST_CELLS, FEWEST_ROWS, MOST_ROWS] = [500_000, 200, 5000];

/** The texts of the first rows, without blanks; null where a value is missing. */
async function readBeginnings<Cells extends CellReading>(
  source: TableSource<Cells>,
  cells: Cells,
  names: readonly string[],
): Promise<Pick<CountedCandidates<Cells>, "beginnings" | "gapNotes">> {
  const found = names.filter((name) => cells.fields.has(name));
  const [beginnings, gapNotes] = [new Map<string, (string | null)[]>(), new Map<string, ColumnNote[]>()];
  if (found.length === 0) return { beginnings, gapNotes };
  const rows = Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.floor(FIRST_CELLS / found.length)));
  const columns = await source.beginning(cells, found, rows);
  for (const [c, name] of found.entries()) {
    const { gaps } = cells.fields.get(name) as CellField;
    const texts = columns[c].map((text) => (text === null ? null : trimText(text)));
    beginnings.set(
      name,
      texts.map((text) => (text === null || isMissingText(text, gaps) ? null : text)),
    );
    gapNotes.set(name, noteOfGaps(texts, gaps));
  }
  return { beginnings, gapNotes };
}

async function judgeColumn<Cells extends CellReading>(
  { inquiry, manyValued, styleNotes, gapNotes }: CountedCandidates<Cells>,
  name: string,
  { types }: ColumnOptions,
): Promise<ColumnDecision> {
  const decision = manyValued.includes(name)
    ? await inferManyValued(inquiry, name)
    : await inferColumn(inquiry, name, inquiry.columns.get(name) as Counted, types.get(name));
  const counts = inquiry.columns.get(name);
  const different = counts?.kind === "number" ? counts.different : (counts?.counts.size ?? 0);
  const ofGroup = counts ? noteOfGroup(name, different, counts.known, inquiry.source.remedies) : [];
  const note = styleNotes.get(name) ?? noteOfTimes(inquiry, name);
  const isNumeric = decision.chosen[0]?.column.kind === "numeric";
  const notes = [
    ...(gapNotes.get(name) ?? []),
    ...(note && isNumeric ? [note] : []),
    ...(decision.notes ?? []),
    ...ofGroup,
  ];
  return { ...decision, notes: decision.chosen.length > 0 ? notes : ofGroup };
}

/** A note about a column whose type is that of dates or times. */
function noteOfTimes<Cells extends CellReading>(
  { source, styles }: Pick<Inquiry<Cells>, "source" | "styles">,
  name: string,
): ColumnNote | undefined {
  if (columnNamed(source.columns, name)?.storage !== "time") return undefined;
  const isTime = styles.get(name)?.date === "time";
  const text = isTime ? "times are read as hours" : "dates are read as days since 1970-01-01";
  return { about: "date", text, remedy: source.remedies.exclude(name), doubtful: false };
}

/** What became of the columns. */
async function judgeAll<Cells extends CellReading>(
  candidates: CountedCandidates<Cells>,
  options: ColumnOptions,
): Promise<ColumnDecision[]> {
  const decisions: ColumnDecision[] = [...candidates.refused];
  for (const name of candidates.usable) decisions.push(await judgeColumn(candidates, name, options));
  return decisions;
}

function notesOf(decisions: readonly ColumnDecision[]): NamedNote[] {
  return decisions.flatMap(({ name, notes = [] }) => notes.map((note) => ({ name, note })));
}

function gapsOfDecisions(decisions: readonly ColumnDecision[]): Map<string, readonly string[]> {
  return new Map(decisions.flatMap(({ name, gaps }) => (gaps ? [[name, gaps] as const] : [])));
}

/** Notes that a fit prints; the rest is counted. */
const MOST_NOTES = 30;

function report(table: string, notes: readonly NamedNote[], { warn }: Pick<Reporter, "warn">): void {
  const isLeak = ({ note }: NamedNote): boolean => note.about === "leak";
  const ordered = [...notes.filter(isLeak), ...notes.filter((note) => !isLeak(note))];
  for (const { name, note } of ordered.slice(0, MOST_NOTES))
    warn(`${quoted(table)}, column ${quoted(name)}: ${noteText(note)}`);
  if (notes.length > MOST_NOTES)
    warn(`${quoted(table)}: ${counted(notes.length - MOST_NOTES, "more note")} about columns`);
}

/** The columns that give the label away and are used. */
export function leaksOf({ notes }: Pick<ColumnReading, "notes">): string[] {
  return [...new Set(notes.filter(({ note }) => note.about === "leak").map(({ name }) => name))];
}

/** Columns that repeat others or give the label away, among those that are used and by the first rows. */
export function relationsOf<Cells extends CellReading>(
  { inquiry: { source, styles }, beginnings }: CountedCandidates<Cells>,
  decisions: readonly ColumnDecision[],
  label: string | undefined,
): NamedNote[] {
  const begin = (name: string, isNumeric: boolean): ColumnBeginning[] => {
    const texts = beginnings.get(name);
    return texts
      ? [beginningOf(name, texts, isNumeric ? (styles.get(name) ?? PLAIN_NUMBERS) : undefined)]
      : [];
  };
  const columns = decisions.flatMap(({ name, chosen }) =>
    chosen.length === 1 && name !== label ? begin(name, chosen[0].column.kind === "numeric") : [],
  );
  const about = label === undefined ? undefined : begin(label, false)[0];
  const numbers =
    about &&
    Float64Array.from(
      { length: about.different },
      (_, code) => readNumberText(about.textOf(code)) ?? Number.NaN,
    );
  const known = numbers?.every((x) => !Number.isNaN(x)) ? { ...about, numbers } : about;
  return relateColumns(columns, known as ColumnBeginning | undefined, source.remedies);
}

/** How texts were read, for the model: what is not as usual. */
export function storedReading(
  { mayHaveCommas }: Pick<TableSource, "mayHaveCommas">,
  { gaps, columns: { decimal } }: ReadingRules,
  seen: Omit<SeenColumns, "chosen">,
): StoredReading {
  const own = seen.numbers.flatMap(({ column: { name } }) => {
    const style = seen.styles.get(name);
    // The marks of a file that may have commas are decided again for each file.
    const isOwn = style !== undefined && (style.signs || style.date || (style.grouped && !mayHaveCommas));
    return isOwn ? [[name, style] as const] : [];
  });
  const isUsual = gaps.length === MISSING_TEXTS.length && MISSING_TEXTS.every((text) => gaps.includes(text));
  return {
    ...(isUsual ? {} : { missing: gaps }),
    ...(seen.gapsIn && seen.gapsIn.size > 0 ? { missingIn: Object.fromEntries(seen.gapsIn) } : {}),
    ...(decimal ? { decimal } : {}),
    ...(own.length > 0 ? { styles: Object.fromEntries(own) } : {}),
  };
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
): Promise<readonly ColumnSurvey[]> {
  return (await surveyTable(source, rules, messages)).surveys;
}

/** The same, with what was counted. */
export async function surveyTable<Cells extends CellReading>(
  source: TableSource<Cells>,
  rules: ReadingRules,
  messages: Pick<Reporter, "progress" | "tried">,
): Promise<{ readonly surveys: readonly ColumnSurvey[]; readonly candidates: CountedCandidates<Cells> }> {
  const options = rules.columns;
  const asked = screenNames(source, ownColumns(source, options, undefined), options);
  await source.prepare(asked.usable);
  const candidates = await countCandidates(source, asked, [], rules, messages);
  requireRows(source, candidates.inquiry.rows);
  const surveys: ColumnSurvey[] = [...candidates.refused];
  for (const name of candidates.usable) {
    const survey = judgeColumn(candidates, name, options).catch((thrown: unknown): ColumnSurvey => {
      if (!(thrown instanceof TableError)) throw thrown;
      return { name, chosen: [], problem: { message: thrown.message, hint: thrown.hint } };
    });
    surveys.push(await survey);
  }
  return { surveys, candidates };
}

/** Columns of which every value has been seen. */
interface SeenColumns {
  readonly chosen: readonly ChosenColumn[];
  /** Those of them that are read as numbers, and how their numbers are written. */
  readonly numbers: readonly ChosenColumn[];
  readonly styles: ReadonlyMap<string, NumberStyle>;
  /** Texts that are missing values in single columns. */
  readonly gapsIn?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** The cells of columns of which every value has been seen, and of others. */
export function verifiedCells<Cells extends CellReading>(
  source: TableSource<Cells>,
  { chosen, numbers: inNumbers, styles, gapsIn }: SeenColumns,
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
  return source.cells([...names, ...others], { gaps, gapsIn, numbers, categories, verified: true });
}

/** A column without a name, among others that have one, is what programs number rows with; an empty key of JSON is no name either. */
function refuseUnnamed<Cells extends CellReading>(
  { columns, remedies }: TableSource<Cells>,
  name: string,
  options: ColumnOptions,
): ColumnDecision[] {
  if (name === "")
    return [{ name, chosen: [], leftOut: "it has no name, which a model needs", about: "unsupported" }];
  const isUnnamed = columnNamed(columns, name)?.unnamed ?? false;
  if (!isUnnamed || isNamed(options, name) || options.types.has(name)) return [];
  const leftOut = `it has no name, as the row numbers that pandas and R write; ${remedies.keepColumn(name)}`;
  return [{ name, chosen: [], leftOut, about: "id" }];
}

function chosenOf(decisions: readonly ColumnDecision[], names: readonly string[]): ChosenColumn[] {
  return decisions.flatMap((decision) => (names.includes(decision.name) ? decision.chosen : []));
}

function leftOutOf(decisions: readonly ColumnDecision[]): ColumnReading["leftOut"] {
  return decisions.flatMap(({ name, leftOut: why }) => (why === undefined ? [] : [{ name, why }]));
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
