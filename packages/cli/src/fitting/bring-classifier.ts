import {
  type Classifier,
  type Column,
  ConformantError,
  readClassifier,
  readTrees,
  type TreeClassifier,
} from "conformant";
import { PLAIN_NUMBERS } from "conformant/texts";
import { weightless } from "conformant/trees";
import {
  alsoColumns,
  bitColumn,
  type ChosenColumn,
  type Counted,
  categoryColumn,
  findNumberStyles,
  isNumber,
  type NumberCounts,
  numberColumn,
  numbersOfTexts,
  readBeside,
  refuseColumn,
  requireRows,
  type TextCounts,
  tooManyValues,
  verifiedCells,
} from "conformant-workbench";
import type { Messages } from "../arguments/command.ts";
import { type BroughtClassifier, isTrees } from "../bringing/brought-classifier.ts";
import type { ClassifierFile } from "../bringing/classifier-file.ts";
import { type CommandColumns, requireBeside } from "../columns/column-options.ts";
import { compareCategories } from "../columns/compare-categories.ts";
import { CliError, listed, quoted } from "../errors.ts";
import { countColumns } from "../reading/count-columns.ts";
import { engineTable } from "../reading/engine-table.ts";
import { guessNumbers } from "../reading/guess-numbers.ts";
import { readRows } from "../reading/read-rows.ts";
import type { Connector } from "../sources/connector.ts";
import { type FieldSet, fieldsOf, sourceColumnOf } from "../sql/fields.ts";
import { checkTexts, type TextCheck } from "./check-texts.ts";
import type { EngineReading } from "./engine-reading.ts";

/** Fits a classifier that was brought along to the columns of a source: which are categorical follows from its features. */
export async function bringClassifier(
  connector: Connector,
  { path, on }: ClassifierFile,
  options: CommandColumns,
  gaps: readonly string[],
  bins: number,
  messages: Messages,
): Promise<Brought> {
  const source = engineTable(connector);
  const brought = on(connector.columns);
  for (const note of brought.notes) messages.warn(`${path}: ${note}`);
  const edges = brought.edges ?? new Map<string, readonly number[]>();
  const kinds = kindsOf(connector, path, brought.json, options, edges);
  const names = [...kinds.keys()];
  const categorical = names.filter((name) => kinds.get(name) === "categorical");
  const categories = new Map(categorical.map((name) => [name, weightedValues(name, brought.json)]));
  const sources = names.map((name) => sourceColumnOf(connector.columns, name)?.name ?? name);
  for (const name of sources) refuseColumn(source, name, true);
  const { label } = brought.json;
  requireBeside(connector, options, sources, label);
  const also = alsoColumns(source, options, sources, label);
  await connector.prepare({ columns: [...new Set([...sources, ...also])] });
  messages.progress("counting values");
  const plain = fieldsOf(connector, names, { gaps, categories });
  const numeric = names.filter((name) => kinds.get(name) === "number");
  const styles = await findNumberStyles(source, plain, numeric, options.decimal);
  const numbers = await guessNumbers(connector, plain, styles);
  const fields = fieldsOf(connector, names, { gaps, categories, numbers, texts: categorical });
  const { rows, columns } = await countColumns(connector, fields, names, bins, (done) =>
    messages.progress("counting values", done, names.length),
  );
  requireRows(connector, rows);
  const chosen: ChosenColumn[] = [];
  const bits: ChosenColumn[] = [];
  for (const name of names) {
    const counts = columns.get(name) as Counted;
    requireValues(connector, name, counts);
    if (counts.kind === "text" && categories.has(name)) {
      const compared = compareCategories(connector.name, name, counts, categories.get(name) ?? []);
      for (const note of compared.notes) messages.warn(note);
      chosen.push(categoryColumn(name, compared.counts));
      continue;
    }
    const style = styles.get(name) ?? PLAIN_NUMBERS;
    const asNumbers = counts.kind === "text" ? numbersOfTexts(counts, rows, style, bins) : counts;
    const ownEdges = edges.get(name);
    if (ownEdges) chosen.push(await chooseBins(connector, fields, name, ownEdges));
    else if (asNumbers) chosen.push(await chooseNumbers(connector, fields, name, asNumbers));
    else chosen.push(chooseBits(connector, name, counts as TextCounts, bits));
  }
  const { classifier, trees } = matchClassifier(
    brought,
    path,
    chosen.map(({ column }) => column),
  );
  const inNumbers = chosen.filter((column) => column.column.kind !== "categorical" && !bits.includes(column));
  const verified = verifiedCells(source, chosen, inNumbers, styles, gaps);
  const texts = await checkTexts(connector, verified, brought.json, trees ?? classifier);
  const beside = await readBeside(source, also, options, gaps, bins, messages);
  const all = [...chosen, ...beside.chosen];
  const allNumbers = [...inNumbers, ...beside.chosen.filter((column) => isNumber(column, options))];
  const allStyles = new Map([...styles, ...beside.styles]);
  const reading: EngineReading = {
    rows,
    fields: verifiedCells(source, all, allNumbers, allStyles, gaps),
    chosen: all,
    also: beside.chosen.map(({ column }) => column),
    leftOut: beside.leftOut,
  };
  return { classifier, trees, reading, texts };
}

/** A classifier that fits the columns of a source. */
export interface Brought {
  /** Without weights where trees answer. */
  readonly classifier: Classifier;
  readonly trees: TreeClassifier | undefined;
  readonly reading: EngineReading;
  readonly texts: TextCheck;
}

/** The values of a column that a classifier has features for, or names of the codes that its trees split by. */
function weightedValues(name: string, json: BroughtClassifier["json"]): string[] {
  const named = isTrees(json) ? (json.categories?.[json.features.indexOf(name)] ?? []) : [];
  const bits = json.features.flatMap((feature) =>
    feature.startsWith(`${name}=`) ? [feature.slice(name.length + 1)] : [],
  );
  return [...named, ...bits];
}

/** A feature `column=value` makes the column categorical where the source has that column and none of the full name. */
function kindsOf(
  connector: Connector,
  path: string,
  json: BroughtClassifier["json"],
  options: CommandColumns,
  edges: ReadonlyMap<string, unknown>,
): Map<string, "categorical" | "number"> {
  const kinds = new Map<string, "categorical" | "number">();
  // A feature that no tree looks at may be missing in the data.
  const asked = isTrees(json) ? new Set(json.trees.flatMap(({ feature }) => feature)) : undefined;
  json.features.forEach((feature, f) => {
    const parent = parentOf(connector, feature);
    const bySets = isTrees(json) && json.categories?.[f];
    if (connector.columns.some(({ name }) => name === feature))
      kinds.set(feature, bySets || options.types.get(feature) === "categorical" ? "categorical" : "number");
    else if (parent !== undefined) kinds.set(parent, edges.has(parent) ? "number" : "categorical");
    else if (!asked || asked.has(f)) {
      const names = connector.columns.map(({ name }) => name);
      throw new CliError(
        "unknown-column",
        `${quoted(path)} has the feature ${quoted(feature)}, but ${quoted(connector.name)} has only the columns ${listed(names)}`,
      );
    }
  });
  return kinds;
}

/** The column before one of the equal signs of a feature, the shortest that the source has. */
function parentOf(connector: Connector, feature: string): string | undefined {
  for (let at = feature.indexOf("="); at > 0; at = feature.indexOf("=", at + 1)) {
    if (sourceColumnOf(connector.columns, feature.slice(0, at))) return feature.slice(0, at);
  }
  return undefined;
}

function requireValues(connector: Connector, name: string, counts: Counted): void {
  const where = `${quoted(connector.name)}, column ${quoted(name)}`;
  if (counts.known === 0)
    throw new CliError("empty-column", `${where}: the classifier uses it, but it has no value in any row`);
  if (counts.kind === "text" && counts.tooMany) throw tooManyValues(engineTable(connector), name);
}

/** A column of numbers; a text among them is an error that names its row. */
async function chooseNumbers(
  connector: Connector,
  fields: FieldSet,
  name: string,
  counts: NumberCounts,
): Promise<ChosenColumn> {
  if (counts.others.size > 0 || !Number.isFinite(counts.least) || !Number.isFinite(counts.most))
    for await (const batch of readRows(connector, fields, { columns: [{ name, kind: "numeric" }] }))
      void batch;
  return numberColumn(name, counts, counts.bits);
}

/** A column of numbers that count by their bins; a text among them is an error that names its row. */
async function chooseBins(
  connector: Connector,
  fields: FieldSet,
  name: string,
  edges: readonly number[],
): Promise<ChosenColumn> {
  const column = { name, kind: "binned", edges } as const;
  const counts = new Float64Array(edges.length + 1);
  for await (const batch of readRows(connector, fields, { columns: [column] }))
    for (const code of batch.columns[0] as Int32Array) if (code >= 0) counts[code]++;
  const known = counts.reduce((sum, count) => sum + count, 0);
  return { column, known, marginal: { kind: "discrete", counts } };
}

/** Truth values as 0 and 1; other texts have no weight in a classifier that has one for the column. */
function chooseBits(
  connector: Connector,
  name: string,
  counts: TextCounts,
  bits: ChosenColumn[],
): ChosenColumn {
  if (![...counts.counts.keys()].every((text) => /^(?:true|false|0|1)$/i.test(text)))
    throw new CliError(
      "invalid-classifier",
      `${quoted(connector.name)}, column ${quoted(name)}: the classifier has one weight for it, but it holds texts; expected numbers, or a feature ${quoted(`${name}=value`)} per value`,
    );
  const column = bitColumn(name, counts);
  bits.push(column);
  return column;
}

/** The classifier on the columns of the data. */
export function matchClassifier(
  { json, guessed }: BroughtClassifier,
  path: string,
  columns: readonly Column[],
): Pick<Brought, "classifier" | "trees"> {
  for (const [feature, name] of guessed ?? []) requireOccurring(feature, name, path, columns);
  try {
    if (!isTrees(json)) return { classifier: readClassifier(json, { columns }), trees: undefined };
    const trees = readTrees(json, { columns });
    return { classifier: weightless(trees), trees };
  } catch (cause) {
    if (!(cause instanceof ConformantError)) throw cause;
    throw new CliError("invalid-classifier", `${quoted(path)}: ${cause.message}`, {
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
  throw new CliError(
    "invalid-classifier",
    `${quoted(path)}: coefficient ${quoted(name)} reads as ${quoted(feature)}, a value that the data does not have`,
    { hint: "coefficients of treatment contrasts (R's default) can be read, others not" },
  );
}
