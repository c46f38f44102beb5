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

/** A leaf that may be divided further. */
interface OpenLeaf {
  readonly rows: Int32Array;
  readonly histogram: Float64Array;
  readonly split: Split | undefined;
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
  let root: GrownTree = leafOn(rows);
  const open = (own: Int32Array, histogram: Float64Array, replace: OpenLeaf["replace"]): OpenLeaf => ({
    rows: own,
    histogram,
    split: own.length < 2 * settings.leastRows ? undefined : findSplit(columns, starts, histogram, settings),
    replace,
  });
  const leaves = [
    open(rows, fillHistogram(columns, starts, rows, derivatives), (tree) => {
      root = tree;
    }),
  ];
  for (let count = 1; count < settings.leaves; count++) {
    const at = mostGain(leaves);
    if (at < 0) break;
    const { rows: own, histogram, split, replace } = leaves[at];
    if (!split) break;
    const [left, right] = divide(columns[split.column], own, split);
    const node: GrownSplit = { kind: "split", split, left: leafOn(left), right: leafOn(right) };
    replace(node);
    // The smaller side is counted, the other is what is left.
    const smaller = left.length <= right.length ? left : right;
    const counted = fillHistogram(columns, starts, smaller, derivatives);
    const rest = subtract(histogram, counted);
    const [ofLeft, ofRight] = smaller === left ? [counted, rest] : [rest, counted];
    leaves[at] = open(left, ofLeft, (tree) => {
      node.left = tree;
    });
    leaves.push(
      open(right, ofRight, (tree) => {
        node.right = tree;
      }),
    );
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
  let best = -1;
  leaves.forEach(({ split }, at) => {
    if (split && split.gain > (leaves[best]?.split?.gain ?? 0)) best = at;
  });
  return best;
}

function divide({ bins, count }: BinnedColumn, rows: Int32Array, split: Split): [Int32Array, Int32Array] {
  const goesLeft = (r: number): boolean => (bins[r] === count ? split.gapsLeft : split.left[bins[r]] === 1);
  return [rows.filter(goesLeft), rows.filter((r) => !goesLeft(r))];
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
