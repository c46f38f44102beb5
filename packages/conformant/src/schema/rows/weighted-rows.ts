import type { Schema } from "../column.ts";
import type { Data, Table } from "../data.ts";
import { type EncodeOptions, encode } from "../encode.ts";
import { checkWeights } from "../weights.ts";

/** Some rows of a table, with the weight of every row of it. */
export interface WeightedRows {
  readonly table: Table;
  readonly rows: Int32Array;
  readonly weights: Float64Array;
  /** The class of every row of the table, −1 where it is not known; none where nobody knows or asks. */
  readonly classes?: Int32Array;
}

/** All rows of the data in the columns of a schema, each of weight 1 unless told otherwise. */
export function readWeightedRows(
  schema: Schema,
  data: Data,
  { weights, ...how }: EncodeOptions & { readonly weights?: ArrayLike<number> | undefined } = {},
): WeightedRows {
  const table = encode(schema, data, how);
  return {
    table,
    rows: Int32Array.from({ length: table.rows }, (_, r) => r),
    weights: checkWeights(weights, table.rows) ?? new Float64Array(table.rows).fill(1),
  };
}
