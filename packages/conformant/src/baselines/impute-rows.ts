import { requireMade } from "../errors.ts";
import { indexOfLargest } from "../math/index-of-largest.ts";
import { type Column, isLinear, slotOffsets, valueLabels } from "../schema/column.ts";
import type { Data, Row, Value } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { Watch, type WatchOptions } from "../watch.ts";
import { eachFilledRow } from "./imputers/filled-rows.ts";
import type { Imputer } from "./imputers/imputer.ts";

/**
 * The rows with their gaps filled, for a look or for other programs. A number or a 0/1 value is given as it was filled
 * in, which may be a fraction; of a categorical or binned column the value with the largest share.
 */
export function imputeRows(imputer: Imputer, data: Data, options: WatchOptions = {}): Row[] {
  requireMade("imputer", imputer);
  const watch = new Watch(options, "imputing");
  const { columns } = imputer.schema;
  const offsets = slotOffsets(imputer.schema);
  const table = encode(imputer.schema, data);
  const out: Row[] = [];
  eachFilledRow(imputer, table, watch, (slots) => {
    const values = columns.map((column, i) => [
      column.name,
      shownValue(column, slots.subarray(offsets[i], offsets[i + 1])),
    ]);
    out.push(Object.fromEntries(values));
  });
  return out;
}

function shownValue(column: Column, filled: Float64Array): Value {
  if (isLinear(column)) return filled[0];
  return valueLabels(column)[indexOfLargest(filled)];
}
