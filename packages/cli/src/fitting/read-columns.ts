import type { Column, Marginals, Schema } from "conformant";
import type { Messages } from "../arguments/command.ts";
import type { ChosenColumn } from "../columns/chosen-column.ts";
import { type ColumnOptions, candidateColumns } from "../columns/column-options.ts";
import { inferColumn, inferManyValued, MOST_CATEGORIES, type Verdict } from "../columns/infer-columns.ts";
import { refuseColumn } from "../columns/refuse-column.ts";
import { CliError, quoted } from "../errors.ts";
import type { Counted, TextCounts } from "../reading/column-counts.ts";
import { countColumns } from "../reading/count-columns.ts";
import { findManyValued } from "../reading/screen-texts.ts";
import type { Connector } from "../sources/connector.ts";
import { type FieldSet, fieldsOf } from "../sql/fields.ts";

/** The columns of a source as a classifier can use them. */
export interface ColumnReading {
  readonly rows: number;
  /** The chosen columns and, where there is one, the label. */
  readonly fields: FieldSet;
  readonly chosen: readonly ChosenColumn[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  /** The counts of the label. */
  readonly label?: TextCounts | undefined;
}

/** Reads what the columns of a source are, for training a classifier on the label. */
export async function readColumns(
  connector: Connector,
  options: ColumnOptions,
  label: string,
  gaps: readonly string[],
  bins: number,
  messages: Messages,
): Promise<ColumnReading> {
  const names = candidateColumns(connector, options, label);
  const refused = names.flatMap((name) =>
    refuseColumn(connector, name, options.columns !== undefined || options.types.has(name)),
  );
  const usable = names.filter((name) => !refused.some((verdict) => verdict.name === name));
  const categorical = usable.filter((name) => options.types.get(name) === "categorical");
  await connector.prepare({ columns: [...usable, label], asText: new Set([...categorical, label]) });
  const fields = asTexts(fieldsOf(connector, [...usable, label], gaps), [...categorical, label]);
  messages.progress("counting values");
  const manyValued = (await findManyValued(connector, fields, 2 * MOST_CATEGORIES)).filter(
    (name) => name !== label && !options.types.has(name),
  );
  const few = [...fields.fields.keys()].filter((name) => !manyValued.includes(name));
  const { rows, columns } = await countColumns(connector, fields, few, bins, (done) =>
    messages.progress("counting values", done, few.length),
  );
  requireRows(connector, rows);
  const verdicts: Verdict[] = [...refused];
  for (const name of usable) {
    const [counted, type] = [columns.get(name) as Counted, options.types.get(name)];
    verdicts.push(
      manyValued.includes(name)
        ? await inferManyValued(connector, fields, name)
        : await inferColumn(connector, fields, name, counted, type, bins),
    );
  }
  const { chosen, leftOut } = collect(connector, verdicts);
  const chosenFields = fieldsOf(connector, [...chosen.map(({ column }) => column.name), label], gaps);
  return { rows, fields: chosenFields, chosen, leftOut, label: columns.get(label) as TextCounts | undefined };
}

/** Fields that are to be counted by their text whatever they hold. */
export function asTexts(set: FieldSet, names: readonly string[]): FieldSet {
  const fields = new Map(set.fields);
  for (const name of names) {
    const field = fields.get(name);
    if (field && field.storage !== "text")
      fields.set(name, { ...field, storage: "text", raw: field.text, value: field.text });
  }
  return { ...set, fields };
}

function collect(
  connector: Connector,
  verdicts: readonly Verdict[],
): Pick<ColumnReading, "chosen" | "leftOut"> {
  const chosen = verdicts.flatMap((verdict) => verdict.chosen);
  const leftOut = verdicts.flatMap(({ name, leftOut: why }) => (why === undefined ? [] : [{ name, why }]));
  if (chosen.length > 0) return { chosen, leftOut };
  const reasons = leftOut.map(({ name, why }) => `${quoted(name)}: ${why}`).join("; ");
  throw new CliError(
    "no-columns",
    `${quoted(connector.name)} has no column to learn from${reasons && ` (${reasons})`}`,
  );
}

export function requireRows(connector: Connector, rows: number): void {
  if (rows === 0)
    throw new CliError(
      "empty-data",
      `${quoted(connector.name)} has columns but no rows, expected at least one`,
    );
}

/** The marginals of a classifier's columns; a category that only the classifier knows has count 0. */
export function marginalsOf(reading: ColumnReading, schema: Schema): Marginals {
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
