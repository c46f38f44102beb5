import { offsets } from "../math/offsets.ts";
import type { BinnedColumn } from "./binned-rows.ts";

/** Numbers per bin: the sums of the gradients and of the curvatures of its rows, and their count. */
export const PER_BIN = 3;

/** First and second derivative of the loss in each row's score. */
export interface Derivatives {
  readonly gradient: Float64Array;
  readonly curvature: Float64Array;
}

/** Where the bins of each column start in a histogram over all of them; the last entry is its length. */
export function histogramLayout(columns: readonly BinnedColumn[]): Int32Array {
  return offsets(columns.map(({ count }) => (count + 1) * PER_BIN));
}

/** Sums of gradients and curvatures over some rows, for every bin of every column. */
export function fillHistogram(
  columns: readonly BinnedColumn[],
  starts: Int32Array,
  rows: Int32Array,
  derivatives: Derivatives,
): Float64Array {
  const histogram = new Float64Array(starts[columns.length]);
  columns.forEach(({ bins }, i) => {
    addColumn(histogram.subarray(starts[i], starts[i + 1]), bins, rows, derivatives);
  });
  return histogram;
}

function addColumn(
  sums: Float64Array,
  bins: Uint16Array,
  rows: Int32Array,
  { gradient, curvature }: Derivatives,
): void {
  for (let j = 0; j < rows.length; j++) {
    const r = rows[j];
    const at = PER_BIN * bins[r];
    sums[at] += gradient[r];
    sums[at + 1] += curvature[r];
    sums[at + 2]++;
  }
}

/** What is left of a node's histogram when that of one child is taken away: the other's. */
export function subtract(whole: Float64Array, part: Float64Array): Float64Array {
  const rest = new Float64Array(whole.length);
  for (let at = 0; at < rest.length; at++) rest[at] = whole[at] - part[at];
  return rest;
}
