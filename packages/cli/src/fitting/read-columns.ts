import type { Column, Marginals, Schema } from "conformant";
import type { NumberStyle } from "conformant/texts";
import type { Messages } from "../arguments/command.ts";
import type { ChosenColumn } from "../columns/chosen-column.ts";
import { type ColumnOptions, candidateColumns } from "../columns/column-options.ts";
import { type Inquiry, inferColumn, inferManyValued, MOST_CATEGORIES } from "../columns/infer-columns.ts";
import { refuseColumn } from "../columns/refuse-column.ts";
import type { Verdict } from "../columns/verdict.ts";
import { CliError, quoted } from "../errors.ts";
import type { Counted, TextCounts } from "../reading/column-counts.ts";
import { countColumns } from "../reading/count-columns.ts";
import { guessNumbers } from "../reading/guess-numbers.ts";
import { findNumberStyles } from "../reading/number-styles.ts";
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
  const { types, decimal } = options;
  const refused = names.flatMap((name) => [
    ...refuseUnnamed(connector, name, options),
    ...refuseColumn(connector, name, options.columns !== undefined || types.has(name)),
  ]);
  const usable = names.filter((name) => !refused.some((verdict) => verdict.name === name));
  const texts = [...usable.filter((name) => types.get(name) === "categorical"), label];
  await connector.prepare({ columns: [...usable, label] });
  messages.progress("counting values");
  const plain = fieldsOf(connector, [...usable, label], { gaps });
  const open = usable.filter((name) => !texts.includes(name));
  const styles = await findNumberStyles(connector, plain, open, decimal);
  const numbers = await guessNumbers(connector, plain, styles);
  const fields = asTexts(fieldsOf(connector, [...usable, label], { gaps, numbers }), texts);
  const manyValued = (await findManyValued(connector, fields, 2 * MOST_CATEGORIES)).filter(
    (name) => name !== label && !types.has(name),
  );
  const few = [...fields.fields.keys()].filter((name) => !manyValued.includes(name));
  const { rows, columns } = await countColumns(connector, fields, few, bins, (done) =>
    messages.progress("counting values", done, few.length),
  );
  requireRows(connector, rows);
  const named = options.columns !== undefined;
  const inquiry: Inquiry = { connector, fields, rows, styles, gaps, bins, named };
  const verdicts: Verdict[] = [...refused];
  for (const name of usable)
    verdicts.push(
      manyValued.includes(name)
        ? await inferManyValued(inquiry, name)
        : await inferColumn(inquiry, name, columns.get(name) as Counted, types.get(name)),
    );
  for (const { name, note } of verdicts)
    if (note) messages.warn(`${quoted(connector.name)}, column ${quoted(name)}: ${note}`);
  const { chosen, leftOut } = collect(connector, verdicts);
  const isNumber = ({ column: { name, kind } }: ChosenColumn): boolean =>
    kind === "numeric" || (kind === "binary" && types.get(name) !== "binary");
  const chosenFields = verifiedFields(connector, chosen, chosen.filter(isNumber), styles, gaps, [label]);
  return { rows, fields: chosenFields, chosen, leftOut, label: columns.get(label) as TextCounts | undefined };
}

/** Fields of columns of which every value has been seen. */
export function verifiedFields(
  connector: Connector,
  chosen: readonly ChosenColumn[],
  numeric: readonly ChosenColumn[],
  styles: ReadonlyMap<string, NumberStyle>,
  gaps: readonly string[],
  others: readonly string[] = [],
): FieldSet {
  const names = chosen.map(({ column }) => column.name);
  const numbers = new Map(
    numeric.flatMap(({ column: { name } }) => {
      const style = styles.get(name);
      return style ? [[name, style] as const] : [];
    }),
  );
  const categories = new Map(
    chosen.flatMap(({ column }) =>
      column.kind === "categorical" ? [[column.name, column.values] as const] : [],
    ),
  );
  return fieldsOf(connector, [...names, ...others], { gaps, numbers, categories, verified: true });
}

/** A column without a name, among others that have one, is what programs number rows with. */
function refuseUnnamed({ columns }: Connector, name: string, options: ColumnOptions): Verdict[] {
  const isUnnamed = columns.find((column) => column.name === name)?.unnamed ?? false;
  if (!isUnnamed || options.columns !== undefined || options.types.has(name)) return [];
  return [
    {
      name,
      chosen: [],
      leftOut: `it has no name, as the row numbers that pandas and R write; --columns with ${quoted(name)} in it keeps it`,
    },
  ];
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
