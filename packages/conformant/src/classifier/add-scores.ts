import type { Column } from "../schema/column.ts";
import type { EncodedColumn } from "../schema/data.ts";
import { addLinearScores } from "./add-linear-scores.ts";

/**
 * Adds what one column contributes to the class scores of rows `start` to `end`: s_k(x) where x is known, `gaps[k]` where
 * it is missing.
 *
 * @param out (end − start) × K, `out[(r − start) * K + k]`
 * @param weights slots × K; the column's slots start at `slot`
 * @param gaps columns × K; the column's gap scores start at `gap`
 */
export function addScores(
  out: Float64Array,
  K: number,
  column: Column,
  cells: EncodedColumn,
  start: number,
  end: number,
  weights: Float64Array,
  slot: number,
  gaps: Float64Array,
  gap: number,
): void {
  if (column.kind === "numeric") {
    const own = weights.subarray(slot * K, (slot + 1) * K);
    addLinearScores(out, cells, start, end, own, gaps.subarray(gap * K, (gap + 1) * K));
  } else addByCode(out, K, cells, start, end, codeTable(column, K, weights, slot, gaps, gap));
}

/** Scores of the codes −1 (missing), 0, 1, … of a discrete column, one row of K each. */
function codeTable(
  column: Column,
  K: number,
  weights: Float64Array,
  slot: number,
  gaps: Float64Array,
  gap: number,
): Float64Array {
  const missing = gaps.subarray(gap * K, (gap + 1) * K);
  if (column.kind === "binary") {
    const table = new Float64Array(3 * K);
    table.set(missing);
    table.set(weights.subarray(slot * K, (slot + 1) * K), 2 * K);
    return table;
  }
  const values =
    column.kind === "categorical"
      ? column.values.length
      : column.kind === "binned"
        ? column.edges.length + 1
        : 0;
  const table = new Float64Array((values + 1) * K);
  table.set(missing);
  table.set(weights.subarray(slot * K, (slot + values) * K), K);
  return table;
}

function addByCode(
  out: Float64Array,
  K: number,
  cells: EncodedColumn,
  start: number,
  end: number,
  table: Float64Array,
): void {
  for (let r = start, at = 0; r < end; r++) {
    const row = (cells[r] + 1) * K;
    for (let k = 0; k < K; k++) out[at++] += table[row + k];
  }
}
