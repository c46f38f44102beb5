import { requireMade } from "../errors.ts";
import { indexOfLargest } from "../math/index-of-largest.ts";
import { type Column, slotOffsets, valueLabels } from "../schema/column.ts";
import type { Data, Row, Value } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { Watch, type WatchOptions } from "../watch.ts";
import type { Imputer } from "./imputers/imputer.ts";
import { slotRows } from "./imputers/slot-rows.ts";

/** Rows that are filled together. */
const BLOCK = 256;

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
  const width = offsets[columns.length];
  const out: Row[] = [];
  for (let start = 0; start < table.rows; start += BLOCK) {
    const end = Math.min(start + BLOCK, table.rows);
    watch.step(start / table.rows);
    const slots = slotRows(table, start, end);
    imputer.fill(slots, end - start);
    for (let at = 0; at < slots.length; at += width)
      out.push(
        Object.fromEntries(
          columns.map((column, i) => [
            column.name,
            shownValue(column, slots.subarray(at + offsets[i], at + offsets[i + 1])),
          ]),
        ),
      );
  }
  return out;
}

function shownValue(column: Column, filled: Float64Array): Value {
  if (column.kind === "numeric" || column.kind === "binary") return filled[0];
  return valueLabels(column)[indexOfLargest(filled)];
}
