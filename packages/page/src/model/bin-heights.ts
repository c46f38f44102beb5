import type { NumberShape } from "./column-shape.ts";

/** Bins of a histogram. */
export const BINS = 32;

/** The heights of equally wide bins over the range of a number; the mass of a piece is spread evenly over it. */
export function binHeights(
  { low, high }: Pick<NumberShape, "low" | "high">,
  ends: readonly number[],
  shares: ArrayLike<number>,
): Float64Array {
  const heights = new Float64Array(BINS);
  const width = (high - low) / BINS;
  for (let piece = 0; piece + 1 < ends.length; piece++) {
    const [from, to] = [ends[piece], ends[piece + 1]];
    for (let bin = 0; bin < BINS; bin++) {
      const overlap = Math.min(to, low + (bin + 1) * width) - Math.max(from, low + bin * width);
      if (overlap > 0) heights[bin] += (shares[piece] * overlap) / (to - from);
    }
  }
  return heights;
}
