import { slotOffsets } from "../../schema/column.ts";
import type { Table } from "../../schema/data.ts";
import type { Watch } from "../../watch.ts";
import type { Imputer } from "./imputer.ts";
import { slotRows } from "./slot-rows.ts";

/** Rows that are filled together. */
const TOGETHER = 256;

/** Fills the gaps of all rows and visits each as its slots. The array is good until the next row is visited. */
export function eachFilledRow(
  imputer: Imputer,
  table: Table,
  watch: Watch,
  visit: (slots: Float64Array, r: number) => void,
): void {
  const width = slotOffsets(table.schema)[table.schema.columns.length];
  for (let start = 0; start < table.rows; start += TOGETHER) {
    const end = Math.min(start + TOGETHER, table.rows);
    watch.step(start / table.rows);
    const rows = slotRows(table, start, end);
    imputer.fill(rows, end - start);
    for (let r = start; r < end; r++) visit(rows.subarray((r - start) * width, (r - start + 1) * width), r);
  }
}
