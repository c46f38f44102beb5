import type { BinnedColumn } from "./binned-rows.ts";

/** Numbers per bin: the sums of the gradients and of the curvatures of its rows, and their count. */
export const PER_BIN = 3;

/** Where the bins of each column start in a histogram over all of them; the last entry is its length. */
export function histogramLayout(columns: readonly BinnedColumn[]): Int32Array {
  const starts = new Int32Array(columns.length + 1);
  columns.forEach(({ count }, i) => {
    starts[i + 1] = starts[i] + (count + 1) * PER_BIN;
  });
  return starts;
}

/** Sums of gradients and curvatures over some rows, for every bin of every column. */
export function fillHistogram(
  columns: readonly BinnedColumn[],
  starts: Int32Array,
  rows: Int32Array,
  gradient: Float64Array,
  curvature: Float64Array,
): Float64Array {
  const histogram = new Float64Array(starts[columns.length]);
  columns.forEach(({ bins }, i) => {
    addColumn(histogram, starts[i], bins, rows, gradient, curvature);
  });
  return histogram;
}

function addColumn(
  histogram: Float64Array,
  start: number,
  bins: Uint16Array,
  rows: Int32Array,
  gradient: Float64Array,
  curvature: Float64Array,
): void {
  for (let j = 0; j < rows.length; j++) {
    const r = rows[j];
    const at = start + PER_BIN * bins[r];
    histogram[at] += gradient[r];
    histogram[at + 1] += curvature[r];
    histogram[at + 2]++;
  }
}

/** What is left of a node's histogram when that of one child is taken away: the other's. */
export function subtract(whole: Float64Array, part: Float64Array): Float64Array {
  return whole.map((x, at) => x - part[at]);
}
