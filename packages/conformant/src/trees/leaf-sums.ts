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
  /** Where the sides of each leaf start; the last entry is their number. */
  readonly start: Int32Array;
  /** Per side its column, and where its masses start: M numbers Q_m(side); −1 for a number that depends on others. */
  readonly column: Int32Array;
  readonly mass: Int32Array;
  readonly masses: Float64Array;
  /** Room for the sides of all leaves, where the sides of each leaf end, and its probability. */
  readonly room: {
    readonly sides: Int32Array;
    readonly ends: Int32Array;
    readonly chances: Float64Array;
  };
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
  const leaves = start.length - 1;
  const room = {
    sides: new Int32Array(mass.length + 1),
    ends: new Int32Array(leaves),
    chances: new Float64Array(leaves),
  };
  return { start, column, mass, masses, room };
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
 * @param negligible components with no larger share are ignored
 */
export function expectedSums(
  trees: OpenTrees,
  { start, column, mass, masses, room }: LeafBoxes,
  shares: Float64Array,
  x: Float64Array,
  negligible = 0,
): Float64Array | undefined {
  const { classifier } = trees;
  const { width, values, outputs } = classifier;
  const { sides, ends, chances } = room;
  const leaves = trees.leavesLeft();
  const missing = Uint8Array.from(x, (value) => (Number.isNaN(value) ? 1 : 0));
  let [count, dependent] = [0, 0];
  for (let l = 0; l < leaves.length; l++) {
    const end = start[leaves[l] + 1];
    for (let side = start[leaves[l]]; side < end; side++) {
      // Known sides are overwritten, because which ones are missing is hard to predict for a branch.
      const isMissing = missing[column[side]];
      sides[count] = mass[side];
      count += isMissing;
      dependent |= isMissing & (mass[side] >>> 31);
    }
    ends[l] = count;
    chances[l] = 0;
  }
  if (dependent) return undefined;
  const drawn = Int32Array.from(shares.keys()).filter((m) => shares[m] > negligible);
  for (let m = 0; m < drawn.length; m += 4)
    addChances(leaves.length, masses, room, shares, drawn.subarray(m));
  const sums = trees.start.slice();
  for (let l = 0; l < leaves.length; l++) {
    const [leaf, chance] = [leaves[l], chances[l]];
    if (width === 1) sums[outputs[leaf]] += chance * values[leaf];
    else for (let j = 0; j < width; j++) sums[outputs[leaf] + j] += chance * values[leaf * width + j];
  }
  return sums;
}

/** Adds the probabilities of the leaves in the first four of some components; their products stay in registers. */
function addChances(
  leaves: number,
  masses: Float64Array,
  { sides, ends, chances }: LeafBoxes["room"],
  shares: Float64Array,
  components: Int32Array,
): void {
  // Where there are fewer than four, the first one stands in for the others without a share.
  const m0 = components[0];
  const m1 = components[1] ?? m0;
  const m2 = components[2] ?? m0;
  const m3 = components[3] ?? m0;
  const share1 = m1 === m0 ? 0 : shares[m1];
  const share2 = m2 === m0 ? 0 : shares[m2];
  const share3 = m3 === m0 ? 0 : shares[m3];
  for (let l = 0, s = 0; l < leaves; l++) {
    let a = shares[m0];
    let b = share1;
    let c = share2;
    let d = share3;
    for (; s < ends[l]; s++) {
      const at = sides[s];
      a *= masses[at + m0];
      b *= masses[at + m1];
      c *= masses[at + m2];
      d *= masses[at + m3];
    }
    chances[l] = chances[l] + a + b + c + d;
  }
}
