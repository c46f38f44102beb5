import {
  type AnyModel,
  type Column,
  ConformantError,
  type KnownPredictor,
  type KnownRegressor,
  readClassifier,
  readRegressor,
  readTrees,
} from "conformant";
import { PLAIN_NUMBERS } from "conformant/texts";
import { compareCategories } from "../columns/categories.ts";
import type { Counted, NumberCounts, TextCounts } from "../columns/column-counts.ts";
import { numbersOfTexts } from "../columns/column-counts.ts";
import { type ChosenColumn, numberColumn, spelledColumn } from "../columns/column-decision.ts";
import type { ColumnOptions } from "../columns/column-options.ts";
import { alsoColumns } from "../columns/column-options.ts";
import { bitColumn, refuseColumn, tooManyValues } from "../columns/infer-columns.ts";
import { findNumberStyles, guessNumbers } from "../columns/number-styles.ts";
import {
  type ColumnReading,
  isNumber,
  type ReadingRules,
  readBeside,
  requireRows,
  storedReading,
  verifiedCells,
} from "../columns/read-columns.ts";
import type { ClassifierFile } from "../import/classifier-file.ts";
import { type ImportedClassifier, isNumber as isRegressor, isTrees } from "../import/imported-classifier.ts";
import { LARGEST } from "../source/needed-value.ts";
import { sourceColumnOf } from "../source/positions.ts";
import { listed, quoted } from "../source/quoted.ts";
import type { Reporter } from "../source/reporter.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import { checkTexts, type TextCheck } from "./check-texts.ts";

/** More than the order of a sum, or single precision, does to a probability. */
const DIFFERENT = 1e-6;

/** Fits an existing classifier to the columns of a source: which are categorical follows from its features. */
export async function importClassifier<Cells extends CellReading>(
  source: TableSource<Cells>,
  { path, on }: ClassifierFile,
  rules: ReadingRules & { readonly label?: string | undefined },
  messages: Reporter,
): Promise<ImportedColumns<Cells>> {
  const { columns: options, gaps, bins, label } = rules;
  const brought = on(source.columns);
  for (const note of brought.notes) messages.warn(`${path}: ${note}`);
  const edges = brought.edges ?? new Map<string, readonly number[]>();
  const kinds = kindsOf(source, path, brought, options);
  const names = [...kinds.keys()];
  const categorical = names.filter((name) => kinds.get(name) === "categorical");
  const categories = new Map(categorical.map((name) => [name, weightedValues(name, brought.json)]));
  const sources = sourcesOf(source, kinds);
  for (const name of sources) refuseColumn(source, name, true);
  if (label !== undefined && sources.includes(label))
    throw new TableError(
      "invalid-classifier",
      `${quoted(path)} has the feature ${quoted(label)}, which cannot be the label`,
    );
  const also = alsoColumns(source, options, sources, label ?? brought.json.label);
  await source.prepare([...new Set([...sources, ...also])]);
  messages.progress("counting values");
  const plain = source.cells(names, { gaps, categories });
  const numeric = names.filter((name) => kinds.get(name) === "number");
  const styles = await findNumberStyles(source, plain, numeric, options);
  const numbers = await guessNumbers(source, plain, styles);
  const cells = source.cells(names, { gaps, categories, numbers, texts: categorical });
  const { rows, columns } = await source.count(cells, names, bins, (done) =>
    messages.progress("counting values", done, names.length),
  );
  requireRows(source, rows);
  const chosen: ChosenColumn[] = [];
  const bits: ChosenColumn[] = [];
  for (const name of names) {
    const counts = columns.get(name) as Counted;
    requireValues(source, name, counts);
    if (counts.kind === "text" && categories.has(name)) {
      const compared = compareCategories(source, name, counts, categories.get(name) ?? []);
      for (const note of compared.notes) messages.warn(note);
      chosen.push(spelledColumn(name, compared.counts));
      continue;
    }
    const style = styles.get(name) ?? PLAIN_NUMBERS;
    const asNumbers = counts.kind === "text" ? numbersOfTexts(counts, rows, style, bins) : counts;
    const ownEdges = edges.get(name);
    if (ownEdges) chosen.push(await chooseBins(source, cells, name, ownEdges));
    else if (asNumbers) chosen.push(await chooseNumbers(source, cells, name, asNumbers));
    else chosen.push(chooseBits(source, name, counts as TextCounts, bits));
  }
  const classifier = matchClassifier(
    brought,
    path,
    chosen.map(({ column }) => column),
  );
  const inNumbers = chosen.filter((column) => column.column.kind !== "categorical" && !bits.includes(column));
  const verified = verifiedCells(source, { chosen, numbers: inNumbers, styles }, gaps);
  const texts = await checkTexts(source, verified, brought.json, classifier);
  if (texts.difference > DIFFERENT)
    messages.warn(
      `${path}: computed from the texts of ${quoted(source.name)} it answers otherwise than the model, by up to ${texts.difference.toPrecision(2)}; a column may mean something else than the classifier takes it for`,
    );
  const beside = await readBeside(source, also, rules, messages);
  const all = [...chosen, ...beside.chosen];
  const allNumbers = [...inNumbers, ...beside.chosen.filter((column) => isNumber(column, options))];
  const allStyles = new Map([...styles, ...beside.styles]);
  const seen = { numbers: allNumbers, styles: allStyles, gapsIn: beside.gapsIn };
  const reading: ColumnReading<Cells> = {
    rows,
    fields: verifiedCells(source, { chosen: all, ...seen }, gaps),
    chosen: all,
    also: beside.chosen.map(({ column }) => column),
    leftOut: beside.leftOut,
    notes: beside.notes,
    stored: storedReading(source, rules, seen),
  };
  return { classifier, reading, texts };
}

/** A classifier or regressor that fits the columns of a source. */
export interface ImportedColumns<Cells extends CellReading = CellReading> {
  readonly classifier: KnownPredictor | KnownRegressor;
  readonly reading: ColumnReading<Cells>;
  readonly texts: TextCheck;
}

/** The columns of a source that a classifier uses; an error where one is missing. */
export function columnsUsed(
  source: Pick<TableSource, "name" | "columns">,
  path: string,
  brought: ImportedClassifier,
  options: Pick<ColumnOptions, "types">,
): string[] {
  return sourcesOf(source, kindsOf(source, path, brought, options));
}

/** A model whose certificate also holds for the rows as they stand in the source. */
export function certifyTexts<M extends AnyModel>(model: M, { difference }: TextCheck): M {
  const { certificate } = model;
  const conformityError = Math.max(certificate.conformityError, difference);
  return { ...model, certificate: { ...certificate, conformityError } };
}

/** The values of a column that a classifier has features for, or names of the codes that its trees split by. */
function weightedValues(name: string, json: ImportedClassifier["json"]): string[] {
  const named = isTrees(json) ? (json.categories?.[json.features.indexOf(name)] ?? []) : [];
  const bits = json.features.flatMap((feature) =>
    feature.startsWith(`${name}=`) ? [feature.slice(name.length + 1)] : [],
  );
  return [...named, ...bits];
}

/** A feature `column=value` makes the column categorical where the source has that column and none of the full name. */
function kindsOf(
  source: Pick<TableSource, "name" | "columns">,
  path: string,
  { json, edges = new Map() }: ImportedClassifier,
  options: Pick<ColumnOptions, "types">,
): Map<string, "categorical" | "number"> {
  const kinds = new Map<string, "categorical" | "number">();
  // A feature that no tree looks at may be missing in the data.
  const asked = isTrees(json) ? new Set(json.trees.flatMap(({ feature }) => feature)) : undefined;
  json.features.forEach((feature, f) => {
    const parent = parentOf(source, feature);
    const bySets = isTrees(json) && json.categories?.[f];
    if (source.columns.some(({ name }) => name === feature))
      kinds.set(feature, bySets || options.types.get(feature) === "categorical" ? "categorical" : "number");
    else if (parent !== undefined) kinds.set(parent, edges.has(parent) ? "number" : "categorical");
    else if (!asked || asked.has(f)) {
      const names = source.columns.map(({ name }) => name);
      throw new TableError(
        "unknown-column",
        `${quoted(path)} has the feature ${quoted(feature)}, but ${quoted(source.name)} has only the columns ${listed(names)}`,
        { hint: oneHotHint(feature, names) },
      );
    }
  });
  return kinds;
}

/** What helps where a feature is named as pandas' get_dummies names a value of a column, `column_value`. */
function oneHotHint(feature: string, names: readonly string[]): string | undefined {
  const [column] = names.filter((name) => feature.startsWith(`${name}_`)).sort((a, b) => b.length - a.length);
  if (column === undefined) return undefined;
  const renamed = `${column}=${feature.slice(column.length + 1)}`;
  return `if ${quoted(feature)} is a value of the column ${quoted(column)}, name the feature ${quoted(renamed)} or pass --one-hot ${column}`;
}

/** The columns of the source behind those of a classifier. */
function sourcesOf({ columns }: Pick<TableSource, "columns">, kinds: ReadonlyMap<string, unknown>): string[] {
  return [...kinds.keys()].map((name) => sourceColumnOf(columns, name)?.name ?? name);
}

/** The column before one of the equal signs of a feature, the shortest that the source has. */
function parentOf(source: Pick<TableSource, "columns">, feature: string): string | undefined {
  for (let at = feature.indexOf("="); at > 0; at = feature.indexOf("=", at + 1)) {
    if (sourceColumnOf(source.columns, feature.slice(0, at))) return feature.slice(0, at);
  }
  return undefined;
}

function requireValues<Cells extends CellReading>(
  source: TableSource<Cells>,
  name: string,
  counts: Counted,
): void {
  const where = `${quoted(source.name)}, column ${quoted(name)}`;
  if (counts.known === 0)
    throw new TableError("empty-column", `${where}: the classifier uses it, but it has no value in any row`);
  if (counts.kind === "text" && counts.tooMany) throw tooManyValues(source, name);
}

/** A column of numbers; a text among them is an error that names its row. */
async function chooseNumbers<Cells extends CellReading>(
  source: TableSource<Cells>,
  cells: Cells,
  name: string,
  counts: NumberCounts,
): Promise<ChosenColumn> {
  if (counts.others.size > 0 || counts.least < -LARGEST || counts.most > LARGEST)
    for await (const batch of source.rows(cells, { columns: [{ name, kind: "numeric" }] })) void batch;
  return numberColumn(name, counts, counts.bits);
}

/** A column of numbers that count by their bins; a text among them is an error that names its row. */
async function chooseBins<Cells extends CellReading>(
  source: TableSource<Cells>,
  cells: Cells,
  name: string,
  edges: readonly number[],
): Promise<ChosenColumn> {
  const column = { name, kind: "binned", edges } as const;
  const counts = new Float64Array(edges.length + 1);
  for await (const batch of source.rows(cells, { columns: [column] }))
    for (const code of batch.columns[0] as Int32Array) if (code >= 0) counts[code]++;
  const known = counts.reduce((sum, count) => sum + count, 0);
  return { column, known, marginal: { kind: "discrete", counts } };
}

/** Truth values as 0 and 1; other texts have no weight in a classifier that has one for the column. */
function chooseBits(
  source: Pick<TableSource, "name">,
  name: string,
  counts: TextCounts,
  bits: ChosenColumn[],
): ChosenColumn {
  if (![...counts.counts.keys()].every((text) => /^(?:true|false|0|1)$/i.test(text)))
    throw new TableError(
      "invalid-classifier",
      `${quoted(source.name)}, column ${quoted(name)}: the classifier has one weight for it, but it holds texts; expected numbers, or a feature ${quoted(`${name}=value`)} per value`,
    );
  const column = bitColumn(name, counts);
  bits.push(column);
  return column;
}

/** The classifier or regressor on the columns of the data. */
export function matchClassifier(
  { json, guessed }: ImportedClassifier,
  path: string,
  columns: readonly Column[],
): KnownPredictor | KnownRegressor {
  for (const [feature, name] of guessed ?? []) requireOccurring(feature, name, path, columns);
  try {
    if (isRegressor(json))
      return isTrees(json) ? readTrees(json, { columns }) : readRegressor(json, { columns });
    return isTrees(json) ? readTrees(json, { columns }) : readClassifier(json, { columns });
  } catch (cause) {
    if (!(cause instanceof ConformantError)) throw cause;
    throw new TableError("invalid-classifier", `${quoted(path)}: ${cause.message}`, {
      hint: cause.details.hint,
      cause,
    });
  }
}

/** A value read out of a name such as `sexmale` must be one of the column's, else the name means something else. */
function requireOccurring(feature: string, name: string, path: string, columns: readonly Column[]): void {
  const found = columns.some(
    (column) =>
      column.kind === "categorical" && column.values.some((value) => `${column.name}=${value}` === feature),
  );
  if (found) return;
  throw new TableError(
    "invalid-classifier",
    `${quoted(path)}: coefficient ${quoted(name)} reads as ${quoted(feature)}, a value that the data does not have`,
    { hint: "coefficients of treatment contrasts (R's default) can be read, others not" },
  );
}
