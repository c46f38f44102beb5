import { type CutLimits, type FitKernels, PER_BIN } from "../kernels/kernels.ts";
import { fallingOrder } from "../math/search.ts";
import { type BinnedColumn, type Bins, histogramSize } from "./binned-columns.ts";

/** A node of a tree that was grown: a split with two children, or a leaf with a value. */
export interface GrownNode {
  readonly rows: Range;
  readonly held: Range;
  /** Of a leaf. */
  value: number;
  split?: Split;
  left?: GrownNode;
  right?: GrownNode;
}

/** Rows `from` to `to` − 1 of a list, as long as the tree is the last one that was grown. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** How a node divides its rows. */
export interface Split {
  readonly column: number;
  /** The last bin that goes left, in the order of the bins. */
  readonly lastLeft: number;
  /** Categories: 1 per bin that goes left. */
  readonly left?: Uint8Array;
  /** Whether missing values go left. */
  readonly gapsLeft: boolean;
}

/** How trees are grown. */
export interface GrowthSettings {
  /** Leaves of a tree at most. */
  readonly leaves: number;
  /** The factor of the values of the leaves. */
  readonly rate: number;
  /** Rows in each leaf at least. */
  readonly leastRows: number;
  /** Added to the curvature. */
  readonly l2: number;
}

/** Curvatures below this are rounding errors: such a leaf has no information. */
const LEAST_CURVATURE = 1e-3;

/** A leaf that can be divided. */
interface OpenLeaf {
  readonly node: GrownNode;
  readonly histogram: Float64Array;
  readonly gain: number;
  readonly split: Split;
}

/**
 * Grows trees on histograms: always at the leaf whose split has the largest gain in the second-order loss,
 *
 *     G_L² / (H_L + λ) + G_R² / (H_R + λ) − G² / (H + λ),
 *
 * with the sums G of the gradients and H of the curvatures on both sides. Categories are tried in the order of their mean gradient, which is
 * optimal for two sides (Fisher 1958). Of two children only the smaller one is counted; the histogram of the other is the difference. All
 * arrays are allocated once for all trees.
 */
export class TreeGrower {
  /** Gradient and curvature of each row of the table, rows × 2: what the next tree learns. */
  readonly derivatives: Float64Array;
  readonly #kernels: FitKernels;
  readonly #columns: readonly BinnedColumn[];
  readonly #settings: GrowthSettings;
  readonly #limits: CutLimits;
  readonly #size: number;
  /** Histograms that no leaf uses. */
  readonly #idle: Float64Array[] = [];
  readonly #rows: Int32Array;
  readonly #held: Int32Array;
  readonly #others: Int32Array;
  /** Gradient and curvature of the rows that are counted, in their order. */
  readonly #gathered: Float64Array;
  readonly #goesLeft: Uint8Array;
  readonly #order: Int32Array;
  readonly #totals = new Float64Array(3);
  readonly #best: Float64Array;
  readonly #leaves: GrownNode[] = [];

  constructor(kernels: FitKernels, columns: readonly BinnedColumn[], rows: number, settings: GrowthSettings) {
    const { leastRows, l2 } = settings;
    this.#kernels = kernels;
    this.#columns = columns;
    this.#settings = settings;
    this.#limits = { leastRows, leastCurvature: LEAST_CURVATURE, l2 };
    this.#size = histogramSize(columns);
    this.derivatives = kernels.numbers(2 * rows);
    this.#rows = kernels.integers(rows);
    this.#held = kernels.integers(rows);
    this.#others = kernels.integers(rows);
    this.#gathered = kernels.numbers(2 * rows);
    const most = columns.reduce((max, { count }) => Math.max(max, count + 1), 0);
    this.#goesLeft = kernels.bytes(most);
    this.#order = kernels.integers(most);
    this.#best = kernels.numbers(3);
  }

  /** Numbers that a grower needs in the kernels. */
  static room(columns: readonly Bins[], rows: number, { leaves, leastRows }: GrowthSettings): number {
    // An open leaf has rows for two, and one more histogram is filled while a leaf is divided.
    const histograms = Math.min(leaves, Math.floor(rows / (2 * leastRows))) + 2;
    const most = columns.reduce((max, { count }) => Math.max(max, count + 1), 0);
    return histograms * (histogramSize(columns) + 2) + 6 * rows + most + 64;
  }

  /**
   * Grows a tree on the derivatives.
   *
   * @param train the rows to learn from
   * @param held other rows, which are sorted into the leaves as well
   */
  grow(train: Int32Array, held: Int32Array): GrownNode {
    const leaves = this.#leaves;
    leaves.length = 0;
    this.#rows.set(train);
    this.#held.set(held);
    const root = this.#addLeaf({ from: 0, to: train.length }, { from: 0, to: held.length });
    const open: OpenLeaf[] = [];
    if (this.#mayDivide(root)) this.#open(root, this.#count(root), open, 0);
    for (let count = 2; count <= this.#settings.leaves && open.length > 0; count++) {
      const at = mostGain(open);
      const [{ node, histogram, split }] = open.splice(at, 1);
      const [left, right] = this.#divide(node, split);
      if (count === this.#settings.leaves || !(this.#mayDivide(left) || this.#mayDivide(right))) {
        this.#idle.push(histogram);
        continue;
      }
      const leftIsSmaller = left.rows.to - left.rows.from <= right.rows.to - right.rows.from;
      const counted = this.#count(leftIsSmaller ? left : right);
      this.#kernels.subtractBins(histogram, counted);
      this.#open(left, leftIsSmaller ? counted : histogram, open, at);
      this.#open(right, leftIsSmaller ? histogram : counted, open, open.length);
    }
    for (const { histogram } of open) this.#idle.push(histogram);
    for (const leaf of leaves) if (!leaf.split) leaf.value = this.#valueOf(leaf);
    return root;
  }

  /** Adds the values of the last tree to sum s of its rows' scores, rows × S. */
  addValues(scores: Float64Array, S: number, s: number): void {
    for (const { split, value, rows, held } of this.#leaves) {
      if (split) continue;
      addTo(scores, this.#rows, rows, S, s, value);
      addTo(scores, this.#held, held, S, s, value);
    }
  }

  #addLeaf(rows: Range, held: Range): GrownNode {
    const leaf: GrownNode = { rows, held, value: 0 };
    this.#leaves.push(leaf);
    return leaf;
  }

  #mayDivide({ rows }: GrownNode): boolean {
    return rows.to - rows.from >= 2 * this.#settings.leastRows;
  }

  /** The histogram of a node's rows. */
  #count({ rows: { from, to } }: GrownNode): Float64Array {
    const kernels = this.#kernels;
    const histogram = (this.#idle.pop() ?? kernels.numbers(this.#size)).fill(0);
    kernels.gatherDerivatives(this.derivatives, this.#rows, from, to, this.#gathered);
    for (const { bins, first } of this.#columns)
      kernels.addToBins(bins, this.#rows, from, to, this.#gathered, histogram, first);
    return histogram;
  }

  /** Adds a leaf to the open ones at a position where it can be divided. */
  #open(node: GrownNode, histogram: Float64Array, open: OpenLeaf[], at: number): void {
    const split = this.#mayDivide(node) ? this.#findSplit(node, histogram) : undefined;
    if (split) open.splice(at, 0, { node, histogram, gain: this.#best[0], split });
    else this.#idle.push(histogram);
  }

  /** The split with the largest gain; undefined where none gains anything. */
  #findSplit({ rows: { from, to } }: GrownNode, histogram: Float64Array): Split | undefined {
    const [columns, best, totals] = [this.#columns, this.#best, this.#totals];
    const rows = to - from;
    let column = -1;
    best[0] = 0;
    for (let i = 0; i < columns.length; i++) {
      const { count, first, ordered } = columns[i];
      if (i === 0) addUp(histogram, count + 1, totals);
      const order = ordered ? undefined : this.#byMeanGradient(histogram, first, count);
      if (this.#kernels.findCut(histogram, first, count, order, totals, this.#limits, best)) column = i;
    }
    if (column < 0) return undefined;
    const { count, first, ordered } = columns[column];
    const order = ordered ? undefined : this.#byMeanGradient(histogram, first, count);
    let onLeft = 0;
    const left = order && new Uint8Array(count);
    for (let j = 0; j < best[1]; j++) {
      const bin = order ? order[j] : j;
      if (left) left[bin] = 1;
      onLeft += histogram[PER_BIN * (first + bin) + 2];
    }
    // Without missing values to learn from, they go to the side of most rows.
    const hasGaps = histogram[PER_BIN * (first + count) + 2] > 0;
    const gapsLeft = hasGaps ? best[2] === 1 : 2 * onLeft > rows;
    return { column, lastLeft: best[1] - 1, ...(left && { left }), gapsLeft };
  }

  /** Divides a node's rows among two new leaves. */
  #divide(node: GrownNode, split: Split): [left: GrownNode, right: GrownNode] {
    const { rows, held } = node;
    const { bins, count } = this.#columns[split.column];
    const goesLeft = this.#goesLeft;
    if (split.left) goesLeft.set(split.left);
    else goesLeft.fill(1, 0, split.lastLeft + 1).fill(0, split.lastLeft + 1, count);
    goesLeft[count] = split.gapsLeft ? 1 : 0;
    const divide = (list: Int32Array, { from, to }: Range): number =>
      this.#kernels.divideRows(bins, list, from, to, goesLeft, this.#others);
    const middle = divide(this.#rows, rows);
    const middleHeld = divide(this.#held, held);
    node.split = split;
    node.left = this.#addLeaf({ from: rows.from, to: middle }, { from: held.from, to: middleHeld });
    node.right = this.#addLeaf({ from: middle, to: rows.to }, { from: middleHeld, to: held.to });
    return [node.left, node.right];
  }

  /** The value that lowers the loss of a leaf's rows most, to second order: −rate · G / (H + λ). */
  #valueOf({ rows: { from, to } }: GrownNode): number {
    const { rate, l2 } = this.#settings;
    const [rows, derivatives] = [this.#rows, this.derivatives];
    let g = 0;
    let h = 0;
    for (let j = from; j < to; j++) {
      g += derivatives[2 * rows[j]];
      h += derivatives[2 * rows[j] + 1];
    }
    return h + l2 > 0 ? (-rate * g) / (h + l2) : 0;
  }

  /** Positions of a column's bins by falling mean gradient; those without rows are the last ones, on the right side. */
  #byMeanGradient(histogram: Float64Array, first: number, count: number): Int32Array {
    const means = new Float64Array(count);
    for (let bin = 0, at = PER_BIN * first; bin < count; bin++, at += PER_BIN)
      means[bin] = histogram[at + 2] > 0 ? histogram[at] / (histogram[at + 1] + 1) : Number.NEGATIVE_INFINITY;
    this.#order.set(fallingOrder(means));
    this.#order[count] = count; // the kernels read one place ahead
    return this.#order;
  }
}

function addTo(
  scores: Float64Array,
  list: Int32Array,
  { from, to }: Range,
  S: number,
  s: number,
  value: number,
): void {
  for (let j = from; j < to; j++) scores[list[j] * S + s] += value;
}

/** Adds up the first bins of a histogram. */
function addUp(histogram: Float64Array, bins: number, totals: Float64Array): void {
  totals.fill(0);
  for (let at = 0; at < PER_BIN * bins; at += PER_BIN) {
    totals[0] += histogram[at];
    totals[1] += histogram[at + 1];
    totals[2] += histogram[at + 2];
  }
}

function mostGain(leaves: readonly OpenLeaf[]): number {
  let best = 0;
  for (let at = 1; at < leaves.length; at++) if (leaves[at].gain > leaves[best].gain) best = at;
  return best;
}
