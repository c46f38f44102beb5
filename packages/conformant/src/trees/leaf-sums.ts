import { memoize } from "../cache.ts";
import { factorOf } from "../distribution/completion-space.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { binOf } from "../math/search.ts";
import { offsets } from "../math/vectors.ts";
import { isDiscrete, valueCount } from "../schema/column.ts";
import type { OpenTrees } from "./open-trees.ts";
import type { TreeEnsemble } from "./tree-ensemble.ts";

/**
 * Where the leaves of trees lie in the space of the atoms, and how likely every component makes a row to be there. A leaf is a
 * box, one set of atoms for each column on its path; sides that several boxes share are counted once.
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

/** A side of a box: the numbers in (above, upTo], or the codes that are 1. */
type Side =
  | { readonly column: number; readonly above: number; readonly upTo: number }
  | { readonly column: number; readonly codes: Uint8Array };

/** The boxes of the leaves, whatever the distribution. */
interface Boxes {
  readonly sides: readonly Side[];
  readonly start: Int32Array;
  readonly column: Int32Array;
  /** Which of the sides. */
  readonly side: Int32Array;
}

const boxesOf = new WeakMap<TreeEnsemble, Boxes>();

/** The boxes of all leaves under a distribution. */
export function leafBoxes(classifier: TreeEnsemble, distribution: Distribution): LeafBoxes {
  const { sides, start, column, side } = memoize(boxesOf, classifier, findBoxes);
  const M = distribution.components.length;
  const masses = new Float64Array(sides.length * M);
  const { components, atoms } = distribution;
  const Q = components.map(({ logQ }) => logQ.map(Math.exp));
  const isIndependent = atoms.columns.map((_, i) => factorOf(distribution, i).independent);
  sides.forEach((own, s) => {
    const { count, values } = atoms.columns[own.column];
    const from = atoms.offsets[own.column];
    const codes = "codes" in own ? own.codes : undefined;
    const first = "codes" in own ? 0 : binOf(values ?? [], own.above);
    const end = "codes" in own ? count : binOf(values ?? [], own.upTo);
    for (let m = 0; m < M && isIndependent[own.column]; m++) {
      let sum = 0;
      for (let j = first; j < end; j++) if (codes === undefined || codes[j] === 1) sum += Q[m][from + j];
      masses[s * M + m] = sum;
    }
  });
  const mass = side.map((s) => (isIndependent[sides[s].column] ? s * M : -1));
  return { M, start, column, mass, masses };
}

/** One walk over every tree, with what is left of each column. */
function findBoxes(classifier: TreeEnsemble): Boxes {
  const { nodes, roots, outputs } = classifier;
  const sides: Side[] = [];
  const known = new Map<string, number>();
  const perLeaf: number[][] = Array.from({ length: outputs.length }, () => []);
  const placeOf = (side: Side): number => {
    const { column } = side;
    const key = `${column}:${"codes" in side ? side.codes.join("") : `${side.above}:${side.upTo}`}`;
    const place = known.get(key) ?? sides.push(side) - 1;
    known.set(key, place);
    return place;
  };
  const walk = (root: number): void => {
    const waiting: { n: number; box: ReadonlyMap<number, number> }[] = [{ n: root, box: new Map() }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { n, box } = next;
      const i = nodes.column[n];
      if (i < 0) {
        perLeaf[nodes.left[n]] = [...box.values()];
        continue;
      }
      const before = box.get(i);
      const [left, right] = divide(classifier, n, before === undefined ? undefined : sides[before]);
      waiting.push({ n: nodes.left[n], box: new Map(box).set(i, placeOf(left)) });
      waiting.push({ n: nodes.right[n], box: new Map(box).set(i, placeOf(right)) });
    }
  };
  roots.forEach(walk);
  const side = Int32Array.from(perLeaf.flat());
  const start = offsets(perLeaf.map((own) => own.length));
  return { sides, start, column: side.map((s) => sides[s].column), side };
}

/** What goes left and right at a node of what is left of its column. */
function divide({ nodes, sets, schema }: TreeEnsemble, n: number, before: Side | undefined): [Side, Side] {
  const [column, threshold] = [nodes.column[n], nodes.threshold[n]];
  const own = schema.columns[column];
  if (!isDiscrete(own)) {
    const [above, upTo] =
      before && "above" in before
        ? [before.above, before.upTo]
        : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    return [
      { column, above, upTo: Math.min(upTo, threshold) },
      { column, above: Math.max(above, threshold), upTo },
    ];
  }
  const inside = before && "codes" in before ? before.codes : new Uint8Array(valueCount(own)).fill(1);
  const goesLeft = (code: number): boolean =>
    nodes.set[n] >= 0 ? sets[nodes.set[n]][code] === 1 : code <= threshold;
  return [
    { column, codes: inside.map((is, code) => (goesLeft(code) ? is : 0)) },
    { column, codes: inside.map((is, code) => (goesLeft(code) ? 0 : is)) },
  ];
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
  trees: OpenTrees,
  { M, start, column, mass, masses }: LeafBoxes,
  shares: Float64Array,
  x: Float64Array,
): Float64Array | undefined {
  const { classifier } = trees;
  const { width, values, outputs } = classifier;
  const sums = trees.start.slice();
  const reach = new Float64Array(M);
  for (const leaf of trees.leavesLeft()) {
    for (let m = 0; m < M; m++) reach[m] = shares[m];
    for (let side = start[leaf]; side < start[leaf + 1]; side++) {
      if (!Number.isNaN(x[column[side]])) continue;
      const at = mass[side];
      if (at < 0) return undefined;
      for (let m = 0; m < M; m++) reach[m] *= masses[at + m];
    }
    let chance = 0;
    for (let m = 0; m < M; m++) chance += reach[m];
    if (width === 1) sums[outputs[leaf]] += chance * values[leaf];
    else for (let j = 0; j < width; j++) sums[outputs[leaf] + j] += chance * values[leaf * width + j];
  }
  return sums;
}
