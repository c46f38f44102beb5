import {
  ConformantError,
  requireInteger,
  requireMade,
  requireNumber,
  requireOptions,
  show,
} from "../errors.ts";
import { type Column, checkSchema, isDiscrete, type Schema, valueCount } from "../schema/column.ts";
import { isGap, type Value } from "../schema/data.ts";
import { UNSEEN, valueEncoder } from "../schema/encode-value.ts";
import { DEFAULT_BINS } from "./count-marginals.ts";
import { type ColumnMarginal, checkCounts, type Marginals } from "./marginals.ts";
import { quantileBins } from "./quantile-bins.ts";

/** Value and weight pairs of one column, as `SELECT value, count(*) … GROUP BY value` gives them; gaps are passed over. */
export type ValueCounts = Iterable<readonly [Value, number]>;

/** Marginals from counts that someone else computed: a database, another process, a published table. */
export function marginalsFromCounts(
  schema: Schema,
  counts: { readonly rows: number; readonly columns: Readonly<Record<string, ValueCounts>> },
  options: { readonly bins?: number } = {},
): Marginals {
  requireOptions(options);
  checkSchema(schema);
  requireMade("counts", counts);
  const rows = requireNumber("counts.rows", counts.rows, 0);
  const bins = requireInteger("options.bins", options.bins ?? DEFAULT_BINS, 1);
  const columns = schema.columns.map((column) => {
    if (!Object.hasOwn(counts.columns, column.name)) {
      const message = `counts.columns lacks column ${show(column.name)} of the schema`;
      throw new ConformantError("unknown-column", message, {
        argument: "counts.columns",
        column: column.name,
      });
    }
    const marginal = columnMarginal(column, counts.columns[column.name], bins);
    checkCounts(column, marginal, rows);
    return marginal;
  });
  return { schema, rows, columns };
}

function columnMarginal(column: Column, pairs: ValueCounts, bins: number): ColumnMarginal {
  const encodeValue = valueEncoder(column);
  const tally = new Map<number, number>();
  for (const [value, count] of pairs) {
    if (isGap(value)) continue;
    requireNumber(`the count of ${show(value)} in column ${show(column.name)}`, count, 0);
    const encoded = encodeValue(value, 0);
    if (encoded === UNSEEN && column.kind === "categorical") {
      const message = `column ${show(column.name)}: ${show(value)} is not one of its known values`;
      throw new ConformantError("unknown-category", message, { column: column.name, value });
    }
    tally.set(encoded, (tally.get(encoded) ?? 0) + count);
  }
  if (!isDiscrete(column)) {
    const values = Float64Array.from(tally.keys()).sort();
    return quantileBins(
      values,
      values.map((value) => tally.get(value) ?? 0),
      bins,
    );
  }
  return {
    kind: "discrete",
    counts: Float64Array.from({ length: valueCount(column) }, (_, code) => tally.get(code) ?? 0),
  };
}
