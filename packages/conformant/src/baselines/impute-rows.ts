import { type Column, slotOffsets, valueLabels } from "../schema/column.ts";
import type { Data, Row, Value } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import type { Imputer } from "./imputer.ts";
import { slotRows } from "./slot-rows.ts";

/**
 * The rows with their gaps filled, for a look or for other programs. A number or a 0/1 value is given as it was filled
 * in, which may be a fraction; of a categorical or binned column the value with the largest share.
 */
export function imputeRows(imputer: Imputer, data: Data): Row[] {
  const { columns } = imputer.schema;
  const offsets = slotOffsets(imputer.schema);
  const table = encode(imputer.schema, data);
  const slots = slotRows(table);
  imputer.fill(slots, table.rows);
  const width = offsets[columns.length];
  return Array.from({ length: table.rows }, (_, r) =>
    Object.fromEntries(
      columns.map((column, i) => {
        const filled = slots.subarray(r * width + offsets[i], r * width + offsets[i + 1]);
        return [column.name, shownValue(column, filled)];
      }),
    ),
  );
}

function shownValue(column: Column, filled: Float64Array): Value {
  if (column.kind === "numeric" || column.kind === "binary") return filled[0];
  return valueLabels(column)[filled.indexOf(Math.max(...filled))];
}
