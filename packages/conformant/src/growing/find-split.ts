import type { BinnedColumn } from "./binned-rows.ts";
import { PER_BIN } from "./histogram.ts";

/** What a leaf must have, and what curbs its value. */
export interface SplitLimits {
  /** Rows in each leaf at least. */
  readonly leastRows: number;
  /** Added to the curvature. */
  readonly l2: number;
}

/** The best way to divide a node. */
export interface Split {
  readonly gain: number;
  readonly column: number;
  /** Per bin of the column, without the gap's: 1 where it goes left. */
  readonly left: Uint8Array;
  readonly gapsLeft: boolean;
}

/** Curvatures below this are rounding: such a leaf has nothing to tell. */
const LEAST_CURVATURE = 1e-3;

/**
 * The split with the largest gain in the second-order loss, G_L² / (H_L + λ) + G_R² / (H_R + λ) − G² / (H + λ), over all columns; undefined
 * where none gains anything. Categories are tried in the order of their mean gradient, which is optimal for two sides (Fisher 1958).
 */
export function findSplit(
  columns: readonly BinnedColumn[],
  starts: Int32Array,
  histogram: Float64Array,
  limits: SplitLimits,
): Split | undefined {
  let best: Split | undefined;
  columns.forEach((column, i) => {
    const found = splitColumn(column, histogram.subarray(starts[i], starts[i + 1]), i, limits);
    if (found && found.gain > (best?.gain ?? 0)) best = found;
  });
  return best;
}

function splitColumn(
  { count, ordered }: BinnedColumn,
  sums: Float64Array,
  column: number,
  limits: SplitLimits,
): Split | undefined {
  const order = ordered ? undefined : byMeanGradient(sums, count);
  const gap = PER_BIN * count;
  let [gradient, curvature, rows] = [0, 0, 0];
  for (let at = 0; at < sums.length; at += PER_BIN) {
    gradient += sums[at];
    curvature += sums[at + 1];
    rows += sums[at + 2];
  }
  const whole = gradient ** 2 / (curvature + limits.l2);
  let [gain, cut, gapsLeft] = [0, -1, false];
  // Gaps on the right, then on the left where there are any.
  for (const withGaps of sums[gap + 2] > 0 ? [false, true] : [false]) {
    let [g, h, n] = withGaps ? [sums[gap], sums[gap + 1], sums[gap + 2]] : [0, 0, 0];
    for (let j = 0; j < count - 1; j++) {
      const at = PER_BIN * (order ? order[j] : j);
      g += sums[at];
      h += sums[at + 1];
      n += sums[at + 2];
      if (n < limits.leastRows || h < LEAST_CURVATURE) continue;
      if (rows - n < limits.leastRows || curvature - h < LEAST_CURVATURE) break;
      const own = g ** 2 / (h + limits.l2) + (gradient - g) ** 2 / (curvature - h + limits.l2) - whole;
      if (own > gain) [gain, cut, gapsLeft] = [own, j, withGaps];
    }
  }
  if (cut < 0) return undefined;
  const left = new Uint8Array(count);
  let onLeft = 0;
  for (let j = 0; j <= cut; j++) {
    const bin = order ? order[j] : j;
    left[bin] = 1;
    onLeft += sums[PER_BIN * bin + 2];
  }
  // Without a gap to learn from, gaps go where most rows go.
  return { gain, column, left, gapsLeft: sums[gap + 2] > 0 ? gapsLeft : 2 * onLeft > rows };
}

/** Positions of the bins by falling mean gradient; those without rows last, on the right side. */
function byMeanGradient(sums: Float64Array, count: number): Int32Array {
  const mean = (bin: number): number =>
    sums[PER_BIN * bin + 2] > 0
      ? sums[PER_BIN * bin] / (sums[PER_BIN * bin + 1] + 1)
      : Number.NEGATIVE_INFINITY;
  return Int32Array.from({ length: count }, (_, bin) => bin).sort((a, b) => mean(b) - mean(a) || a - b);
}
