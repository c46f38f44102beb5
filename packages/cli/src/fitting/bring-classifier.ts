import { type Classifier, type Column, ConformantError, readClassifier } from "conformant";
import type { Messages } from "../arguments/command.ts";
import { type ChosenColumn, categoryColumn, numberColumn } from "../columns/chosen-column.ts";
import type { ColumnOptions } from "../columns/column-options.ts";
import { tooManyValues } from "../columns/infer-columns.ts";
import { refuseColumn } from "../columns/refuse-column.ts";
import { CliError, listed, quoted } from "../errors.ts";
import type { BroughtClassifier } from "../interop/brought-classifier.ts";
import type { Counted } from "../reading/column-counts.ts";
import { countColumns } from "../reading/count-columns.ts";
import type { Connector } from "../sources/connector.ts";
import { fieldsOf, sourceColumnOf } from "../sql/fields.ts";
import { asTexts, type ColumnReading, requireRows } from "./read-columns.ts";

/** Fits a classifier that was brought along to the columns of a source: which are categorical follows from its features. */
export async function bringClassifier(
  connector: Connector,
  path: string,
  options: ColumnOptions,
  gaps: readonly string[],
  bins: number,
  messages: Messages,
): Promise<{ classifier: Classifier; reading: ColumnReading }> {
  // The readers of foreign formats take a while to load, and most fits need none.
  const { readClassifierFile } = await import("../interop/read-classifier-file.ts");
  const brought = readClassifierFile({ path, columns: connector.columns, names: options.columns });
  for (const note of brought.notes) messages.warn(`${path}: ${note}`);
  const kinds = kindsOf(connector, path, brought.json.features, options);
  const names = [...kinds.keys()];
  const asText = names.filter((name) => kinds.get(name) === "categorical");
  const sources = names.map((name) => sourceColumnOf(connector.columns, name)?.name ?? name);
  for (const name of sources) refuseColumn(connector, name, true);
  await connector.prepare({ columns: [...new Set(sources)], asText: new Set(asText) });
  const fields = asTexts(fieldsOf(connector, names, gaps), asText);
  messages.progress("counting values");
  const { rows, columns } = await countColumns(connector, fields, names, bins, (done) =>
    messages.progress("counting values", done, names.length),
  );
  requireRows(connector, rows);
  const chosen = names.map((name) =>
    chooseAsUsed(connector, name, kinds.get(name) === "categorical", columns.get(name) as Counted),
  );
  const reading = { rows, fields, chosen, leftOut: [] };
  return {
    classifier: matchClassifier(
      brought,
      path,
      chosen.map(({ column }) => column),
    ),
    reading,
  };
}

/** A feature `column=value` makes the column categorical where the source has that column and none of the full name. */
function kindsOf(
  connector: Connector,
  path: string,
  features: readonly string[],
  options: ColumnOptions,
): Map<string, "categorical" | "number"> {
  const kinds = new Map<string, "categorical" | "number">();
  for (const feature of features) {
    const parent = parentOf(connector, feature);
    if (connector.columns.some(({ name }) => name === feature))
      kinds.set(feature, options.types.get(feature) === "categorical" ? "categorical" : "number");
    else if (parent !== undefined) kinds.set(parent, "categorical");
    else {
      const names = connector.columns.map(({ name }) => name);
      throw new CliError(
        "unknown-column",
        `${quoted(path)} has the feature ${quoted(feature)}, but ${quoted(connector.name)} has only the columns ${listed(names)}`,
      );
    }
  }
  return kinds;
}

/** The column before one of the equal signs of a feature, the shortest that the source has. */
function parentOf(connector: Connector, feature: string): string | undefined {
  for (let at = feature.indexOf("="); at > 0; at = feature.indexOf("=", at + 1)) {
    if (sourceColumnOf(connector.columns, feature.slice(0, at))) return feature.slice(0, at);
  }
  return undefined;
}

function chooseAsUsed(
  connector: Connector,
  name: string,
  categorical: boolean,
  counts: Counted,
): ChosenColumn {
  const where = `${quoted(connector.name)}, column ${quoted(name)}`;
  if (counts.known === 0)
    throw new CliError("empty-column", `${where}: the classifier uses it, but it has no value in any row`);
  if (counts.kind === "text" && counts.tooMany) throw tooManyValues(connector, name);
  if (counts.kind === "text" && categorical) return categoryColumn(name, counts);
  if (counts.kind === "number") return numberColumn(name, counts, counts.bits);
  const bits = bitsOf(counts.counts);
  if (bits)
    return {
      column: { name, kind: "binary" },
      known: counts.known,
      marginal: { kind: "discrete", counts: bits },
    };
  throw new CliError(
    "invalid-classifier",
    `${where}: the classifier has one weight for it, but it holds texts; expected numbers, or a feature ${quoted(`${name}=value`)} per value`,
  );
}

/** The counts of 0 and 1 where a column holds truth values. */
function bitsOf(counts: ReadonlyMap<string, number>): Float64Array | undefined {
  if ([...counts.keys()].some((value) => value !== "true" && value !== "false")) return undefined;
  return Float64Array.of(counts.get("false") ?? 0, counts.get("true") ?? 0);
}

/** The classifier on the columns of the data. */
export function matchClassifier(
  { json, guessed }: BroughtClassifier,
  path: string,
  columns: readonly Column[],
): Classifier {
  for (const [feature, name] of guessed ?? []) requireOccurring(feature, name, path, columns);
  try {
    return readClassifier(json, { columns });
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
