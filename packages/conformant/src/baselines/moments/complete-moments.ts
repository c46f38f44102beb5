import { slotOffsets } from "../../schema/column.ts";
import type { Table } from "../../schema/data.ts";
import { fitConstants } from "../imputers/fit-constants.ts";
import { slotRows } from "../imputers/slot-rows.ts";
import { addRow, emptyMoments, type Moments } from "./moments.ts";

/** Rows that are laid out together. */
const BLOCK = 256;

/** Sums over the rows that have no gap. */
export function completeMoments(table: Table): Moments {
  const moments = emptyMoments(originOf(table));
  const width = moments.origin.length;
  for (let start = 0; start < table.rows; start += BLOCK) {
    const end = Math.min(start + BLOCK, table.rows);
    const rows = slotRows(table, start, end);
    for (let r = 0; r < end - start; r++) {
      const at = r * width;
      if (!rows.subarray(at, at + width).some(Number.isNaN)) addRow(moments, rows, at);
    }
  }
  return moments;
}

/** Numbers are summed about their mean; bits about 0, where most of them are. */
function originOf(table: Table): Float64Array {
  const origin = fitConstants(table.schema, table, "mean").constants!.slice();
  const slots = slotOffsets(table.schema);
  table.schema.columns.forEach(({ kind }, i) => {
    if (kind !== "numeric") origin.fill(0, slots[i], slots[i + 1]);
  });
  return origin;
}
