import { factorOf } from "../distribution/completion-space.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { offsets } from "../math/vectors.ts";
import type { PrunedTrees } from "./pruned-trees.ts";
import type { TreeEnsemble } from "./tree-ensemble.ts";

/**
 * Where the leaves of trees lie in the space of the atoms, and how likely every component makes a row to be there. A leaf is a
 * box, one set of atoms for each column on its path; boxes that many leaves share are counted once.
 */
export interface LeafBoxes {
  /** Number of components. */
  readonly M: number;
  /** Where the sides of each leaf start; the last entry is their number. */
  readonly start: Int32Array;
  /** Per side its column, and where its masses start: M numbers Q_m(side); −1 for a number that depends on others. */
  readonly column: Int32Array;
  readonly mass: Int32Array;
  readonly masses: Float64Array;
}

/** Finds the boxes of all leaves: one walk over every tree, with the atoms that are left of each column. */
export function leafBoxes(classifier: TreeEnsemble, distribution: Distribution): LeafBoxes {
  const { nodes, roots, outputs } = classifier;
  const M = distribution.components.length;
  const sides = Array.from({ length: outputs.length }, (): [number, number][] => []);
  const masses: number[] = [];
  const known = new Map<string, number>();
  const massAt = (i: number, inside: Uint8Array): number => {
    if (!factorOf(distribution, i).independent) return -1;
    const key = `${i}:${inside.join("")}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const at = masses.length;
    masses.push(...massesOf(distribution, i, inside));
    known.set(key, at);
    return at;
  };
  for (const root of roots) {
    const waiting = [{ n: root, inside: new Map<number, Uint8Array>() }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { n, inside } = next;
      const i = nodes.column[n];
      if (i < 0) {
        sides[nodes.left[n]] = [...inside].map(([column, atoms]) => [column, massAt(column, atoms)]);
        continue;
      }
      const goesLeft = atomsLeft(classifier, distribution, n);
      const before = inside.get(i);
      const left = goesLeft.map((l, j) => l & (before?.[j] ?? 1));
      const right = goesLeft.map((l, j) => (1 - l) & (before?.[j] ?? 1));
      waiting.push({ n: nodes.left[n], inside: new Map(inside).set(i, left) });
      waiting.push({ n: nodes.right[n], inside: new Map(inside).set(i, right) });
    }
  }
  const all = sides.flat();
  return {
    M,
    start: offsets(sides.map((own) => own.length)),
    column: Int32Array.from(all, ([column]) => column),
    mass: Int32Array.from(all, ([, mass]) => mass),
    masses: Float64Array.from(masses),
  };
}

/** Which atoms of a node's column go left, 1 or 0 each. */
function atomsLeft({ nodes, sets }: TreeEnsemble, { atoms }: Distribution, n: number): Uint8Array {
  const { count, values } = atoms.columns[nodes.column[n]];
  const left = new Uint8Array(count);
  for (let j = 0; j < count; j++) {
    const inSet = nodes.set[n] >= 0 ? sets[nodes.set[n]][j] === 1 : (values?.[j] ?? j) <= nodes.threshold[n];
    left[j] = inSet ? 1 : 0;
  }
  return left;
}

/** Q_m of some atoms of a column, M numbers. */
function massesOf({ components, atoms }: Distribution, i: number, inside: Uint8Array): number[] {
  const start = atoms.offsets[i];
  return components.map(({ logQ }) => {
    let sum = 0;
    for (let j = 0; j < inside.length; j++) if (inside[j] === 1) sum += Math.exp(logQ[start + j]);
    return sum;
  });
}

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
