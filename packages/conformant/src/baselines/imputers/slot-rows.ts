import { isDiscrete, isLinear, slotOffsets } from "../../schema/column.ts";
import type { EncodedColumn, Table } from "../../schema/data.ts";

/**
 * Rows `start` to `end` of a table as the classifier's weights see them: a number or a 0/1 value per slot, a one-hot
 * group for a categorical or binned column, NaN in every slot of a gap.
 *
 * @returns (end − start) × slots, row-major
 */
export function slotRows(table: Table, start = 0, end = table.rows): Float64Array {
  const offsets = slotOffsets(table.schema);
  const width = offsets[table.schema.columns.length];
  const out = new Float64Array((end - start) * width);
  table.schema.columns.forEach((column, i) => {
    const cells = table.columns[i].subarray(start, end);
    if (isLinear(column)) copyValues(out, width, offsets[i], cells, isDiscrete(column));
    else setBits(out, width, offsets[i], offsets[i + 1], cells);
  });
  return out;
}

function copyValues(
  out: Float64Array,
  width: number,
  slot: number,
  cells: EncodedColumn,
  coded: boolean,
): void {
  for (let r = 0; r < cells.length; r++)
    out[r * width + slot] = coded && cells[r] < 0 ? Number.NaN : cells[r];
}

function setBits(out: Float64Array, width: number, from: number, to: number, cells: EncodedColumn): void {
  for (let r = 0; r < cells.length; r++) {
    if (cells[r] < 0) out.fill(Number.NaN, r * width + from, r * width + to);
    else out[r * width + from + cells[r]] = 1;
  }
}
