import { isLinear, slotCount } from "../schema/column.ts";
import type { Classifier } from "./classifier.ts";

/**
 * The class scores of one row, as {@link ClassScorer} has them to the last bit, without what pays for many rows only.
 *
 * @param gaps columns × K, what a gap in each column is worth to each class
 * @param cells one per column, NaN for a gap among numbers and −1 among codes
 * @param out K numbers, overwritten
 */
export function scoreRow(
  { schema: { columns }, intercept, weights }: Classifier,
  gaps: Float64Array,
  cells: Float64Array,
  out: Float64Array,
): void {
  const K = intercept.length;
  for (let k = 0; k < K; k++) out[k] = intercept[k];
  let slot = 0;
  for (let i = 0; i < columns.length; i++) {
    const x = cells[i];
    if (columns[i].kind === "numeric" ? Number.isNaN(x) : x < 0) {
      for (let k = 0; k < K; k++) out[k] += gaps[i * K + k];
    } else if (isLinear(columns[i])) {
      for (let k = 0; k < K; k++) out[k] += weights[slot * K + k] * x;
    } else {
      for (let k = 0; k < K; k++) out[k] += weights[(slot + x) * K + k];
    }
    slot += slotCount(columns[i]);
  }
}
