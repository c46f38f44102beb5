import type { BinnedColumn } from "./binned-rows.ts";
import { findSplit, type Split, type SplitLimits } from "./find-split.ts";
import { type Derivatives, fillHistogram, histogramLayout, subtract } from "./histogram.ts";

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
