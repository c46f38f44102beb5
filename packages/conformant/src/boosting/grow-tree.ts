import {
  type BinnedColumn,
  type Derivatives,
  fillHistogram,
  histogramLayout,
  PER_BIN,
  subtract,
} from "./histogram.ts";

/** A tree while it is grown: a split, or a leaf with its value. */
export type GrownTree = GrownLeaf | GrownSplit;

export interface GrownLeaf {
  readonly kind: "leaf";
  readonly value: number;
}

export interface GrownSplit {
  readonly kind: "split";
  readonly split: Split;
  left: GrownTree;
  right: GrownTree;
}

/** How trees are grown. */
export interface GrowthSettings extends SplitLimits {
  /** Leaves of a tree at most. */
  readonly leaves: number;
  /** What the values of the leaves are multiplied by. */
  readonly rate: number;
}

/** A leaf that can be divided further. */
interface OpenLeaf {
  readonly rows: Int32Array;
  readonly histogram: Float64Array;
  readonly split: Split;
  readonly replace: (tree: GrownTree) => void;
}

/** Grows one tree, always at the leaf that gains most, on the given rows. */
export function growTree(
  columns: readonly BinnedColumn[],
  rows: Int32Array,
  derivatives: Derivatives,
  settings: GrowthSettings,
): GrownTree {
  const starts = histogramLayout(columns);
  const leafOn = (own: Int32Array): GrownLeaf => makeLeaf(own, derivatives, settings);
  const mayDivide = (own: Int32Array): boolean => own.length >= 2 * settings.leastRows;
  let root: GrownTree = leafOn(rows);
  /** The leaf on some rows, where it can be divided. */
  const open = (own: Int32Array, histogram: Float64Array, replace: OpenLeaf["replace"]): OpenLeaf[] => {
    const split = mayDivide(own) ? findSplit(columns, starts, histogram, settings) : undefined;
    return split ? [{ rows: own, histogram, split, replace }] : [];
  };
  const leaves = open(rows, fillHistogram(columns, starts, rows, derivatives), (tree) => {
    root = tree;
  });
  for (let count = 2; count <= settings.leaves && leaves.length > 0; count++) {
    const at = mostGain(leaves);
    const [{ rows: own, histogram, split, replace }] = leaves.splice(at, 1);
    const [left, right] = divide(columns[split.column], own, split);
    const node: GrownSplit = { kind: "split", split, left: leafOn(left), right: leafOn(right) };
    replace(node);
    if (count === settings.leaves || !(mayDivide(left) || mayDivide(right))) continue;
    // The smaller side is counted, the other is what is left.
    const smaller = left.length <= right.length ? left : right;
    const counted = fillHistogram(columns, starts, smaller, derivatives);
    const rest = subtract(histogram, counted);
    const [ofLeft, ofRight] = smaller === left ? [counted, rest] : [rest, counted];
    const onLeft = open(left, ofLeft, (tree) => {
      node.left = tree;
    });
    const onRight = open(right, ofRight, (tree) => {
      node.right = tree;
    });
    leaves.splice(at, 0, ...onLeft);
    leaves.push(...onRight);
  }
  return root;
}

/** A leaf with the value that lowers the loss of its rows most, to second order: −rate · G / (H + λ). */
function makeLeaf(
  rows: Int32Array,
  { gradient, curvature }: Derivatives,
  { rate, l2 }: GrowthSettings,
): GrownLeaf {
  let [g, h] = [0, 0];
  for (const r of rows) {
    g += gradient[r];
    h += curvature[r];
  }
  return { kind: "leaf", value: h + l2 > 0 ? (-rate * g) / (h + l2) : 0 };
}

function mostGain(leaves: readonly OpenLeaf[]): number {
  return leaves.reduce((best, { split }, at) => (split.gain > leaves[best].split.gain ? at : best), 0);
}

/** The rows that go left and those that go right, each in their order. */
function divide(
  { bins, count }: BinnedColumn,
  rows: Int32Array,
  { left, gapsLeft }: Split,
): [Int32Array, Int32Array] {
  const goesLeft = new Uint8Array(count + 1);
  goesLeft.set(left);
  goesLeft[count] = gapsLeft ? 1 : 0;
  const [own, others] = [new Int32Array(rows.length), new Int32Array(rows.length)];
  let onLeft = 0;
  for (let j = 0; j < rows.length; j++) {
    // Written to both, kept in one: no branch would foresee the side.
    own[onLeft] = rows[j];
    others[j - onLeft] = rows[j];
    onLeft += goesLeft[bins[rows[j]]];
  }
  return [own.slice(0, onLeft), others.slice(0, rows.length - onLeft)];
}

/** Tells what a tree says about each of some rows. */
export function eachValue(
  tree: GrownTree,
  columns: readonly BinnedColumn[],
  rows: Int32Array,
  tell: (row: number, value: number) => void,
): void {
  const waiting: { tree: GrownTree; rows: Int32Array }[] = [{ tree, rows }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { tree: own, rows: here } = next;
    if (own.kind === "leaf") {
      for (const r of here) tell(r, own.value);
      continue;
    }
    const [left, right] = divide(columns[own.split.column], here, own.split);
    waiting.push({ tree: own.left, rows: left }, { tree: own.right, rows: right });
  }
}

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
  const hasGaps = sums[gap + 2] > 0;
  // Gaps on the right, the last time alone there, then on the left where there are any.
  for (const withGaps of hasGaps ? [false, true] : [false]) {
    let [g, h, n] = withGaps ? [sums[gap], sums[gap + 1], sums[gap + 2]] : [0, 0, 0];
    const cuts = hasGaps && !withGaps ? count : count - 1;
    for (let j = 0; j < cuts; j++) {
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
  return { gain, column, left, gapsLeft: hasGaps ? gapsLeft : 2 * onLeft > rows };
}

/** Positions of the bins by falling mean gradient; those without rows last, on the right side. */
function byMeanGradient(sums: Float64Array, count: number): Int32Array {
  const mean = (bin: number): number =>
    sums[PER_BIN * bin + 2] > 0
      ? sums[PER_BIN * bin] / (sums[PER_BIN * bin + 1] + 1)
      : Number.NEGATIVE_INFINITY;
  return Int32Array.from({ length: count }, (_, bin) => bin).sort((a, b) => mean(b) - mean(a) || a - b);
}
