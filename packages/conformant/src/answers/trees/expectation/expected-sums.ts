import type { LeafBoxes } from "./leaf-boxes.ts";
import type { PrunedTrees } from "./pruned-trees.ts";

/**
 * The exact expectation of the sums of trees. Within a component the missing columns are independent, so a leaf is reached with
 * probability Π_i Q_mi(its side in column i), and
 *
 *     E[ sum | y ] = start + Σ_leaves value · Σ_m r_m(y) Π_{i missing} Q_mi(side)
 *
 * Returns undefined where a leaf depends on a missing number that a Gaussian describes.
 *
 * @param shares r_m(y), M numbers
 * @param x NaN for the missing columns
 */
export function expectedSums(
  pruned: PrunedTrees,
  { M, start, column, mass, masses }: LeafBoxes,
  shares: Float64Array,
  x: Float64Array,
): Float64Array | undefined {
  const { classifier } = pruned;
  const { width, values, outputs } = classifier;
  const sums = pruned.start.slice();
  const reach = new Float64Array(M);
  let exact = true;
  pruned.visitLeaves((leaf) => {
    reach.set(shares);
    for (let side = start[leaf]; side < start[leaf + 1]; side++) {
      if (!Number.isNaN(x[column[side]])) continue;
      const at = mass[side];
      if (at < 0) {
        exact = false;
        return;
      }
      for (let m = 0; m < M; m++) reach[m] *= masses[at + m];
    }
    let chance = 0;
    for (let m = 0; m < M; m++) chance += reach[m];
    if (width === 1) sums[outputs[leaf]] += chance * values[leaf];
    else for (let j = 0; j < width; j++) sums[outputs[leaf] + j] += chance * values[leaf * width + j];
  });
  return exact ? sums : undefined;
}
