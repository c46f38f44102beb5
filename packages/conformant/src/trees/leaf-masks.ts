import type { SplitMasks } from "../kernels/kernels.ts";
import { countBelow } from "../math/search.ts";
import { isDiscrete, valueCount } from "../schema/column.ts";
import type { TreeEnsemble, TreeNodes } from "./tree-ensemble.ts";

/** Leaves of a word: the bits of an integer. Words go in groups, and no tree is in more than one. */
const [WORD, GROUP] = [32, 4];

/**
 * The splits on one column as masks. The cells of a column are its codes, or the intervals between its ascending thresholds: cell c holds
 * the numbers with c thresholds below them.
 */
export interface ColumnMasks extends SplitMasks {
  /** The nodes that split on the column; those of numbers by ascending threshold. */
  readonly nodes: Int32Array;
  /** Numbers: the thresholds of the nodes, ascending. */
  readonly thresholds?: Float64Array;
  /** Numbers: how many thresholds lie in the buckets of their range before each bucket. */
  readonly guide?: Int32Array | undefined;
}

/**
 * Ensembles as bit masks (QuickScorer; Lucchese et al., SIGIR 2015, doi:10.1145/2766462.2767733). Each tree has a bit per leaf, from left to
 * right. A known value clears, for every node of its column, the leaves on the side that it does not take. The leaves left are
 * those that the missing values may lead to; once all values are known there is one.
 */
export interface LeafMasks {
  /** All leaves: groups × 4 words. */
  readonly all: Int32Array;
  /** The first word of each tree, and the sum its leaves are added to: trees × 2. */
  readonly trees: Int32Array;
  /** The leaf of each bit, words × 32, −1 for none; and what it adds, words × 32 × width. */
  readonly leafAt: Int32Array;
  readonly values: Float64Array;
  /** Per node, as bits of all words: where the leaves of its left side start, where those of its right side do, and where these end. */
  readonly bits: NodeBits;
  /** Per column, undefined where no tree splits on it. */
  readonly columns: readonly (ColumnMasks | undefined)[];
  /** Integers that all of them are. */
  readonly size: number;
}

interface NodeBits {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly end: Int32Array;
}

/** Integers of all lines at most, 32 MB. */
const MOST_NUMBERS = 1 << 23;
/** A column whose lines are longer than so many groups per node has a line per block of nodes. */
const GROUPS_PER_NODE = 8;
/** Buckets per threshold in the guide of a column. */
const BUCKETS = 4;

const masksOf = new WeakMap<TreeEnsemble, LeafMasks | "none">();

/** The masks of an ensemble, made once; undefined for trees of more than 128 leaves and where they would take too much memory. */
export function leafMasks(trees: TreeEnsemble): LeafMasks | undefined {
  const known = masksOf.get(trees) ?? createLeafMasks(trees) ?? "none";
  masksOf.set(trees, known);
  return known === "none" ? undefined : known;
}

function createLeafMasks(classifier: TreeEnsemble): LeafMasks | undefined {
  const { nodes, roots, schema, outputs, width } = classifier;
  const bits = { left: nodes.left.slice(), right: nodes.left.slice(), end: nodes.left.slice() };
  const [all, leafAt, trees]: [number[], number[], number[]] = [[], [], []];
  for (const root of roots) {
    const leaves = leavesFromLeftToRight(nodes, root, bits);
    const words = Math.ceil(leaves.length / WORD);
    const output = outputs[leaves[0]];
    if (words > GROUP || leaves.some((leaf) => outputs[leaf] !== output)) return undefined;
    if ((all.length % GROUP) + words > GROUP) while (all.length % GROUP > 0) all.push(0);
    shiftBits(nodes, root, bits, all.length * WORD);
    trees.push(all.length, output);
    for (let w = 0; w < words; w++) {
      leaves.forEach((leaf, at) => {
        leafAt[WORD * (all.length - w) + at] = leaf;
      });
      const left = leaves.length - WORD * w;
      all.push(left < WORD ? (1 << left) - 1 : -1);
    }
  }
  while (all.length % GROUP > 0) all.push(0);
  const leaves = Int32Array.from({ length: WORD * all.length }, (_, at) => leafAt[at] ?? -1);
  const values = new Float64Array(leaves.length * width);
  leaves.forEach((leaf, at) => {
    for (let j = 0; j < width && leaf >= 0; j++) values[at * width + j] = classifier.values[leaf * width + j];
  });
  const own: number[][] = schema.columns.map(() => []);
  nodes.column.forEach((i, n) => {
    if (i >= 0) own[i].push(n);
  });
  let size = 0;
  const columns: (ColumnMasks | undefined)[] = [];
  for (let i = 0; i < own.length; i++) {
    const column =
      own[i].length > 0 ? columnMasks(classifier, bits, i, own[i], MOST_NUMBERS - size) : undefined;
    if (column === null) return undefined;
    columns.push(column);
    if (column) size += column.lines.length + column.groups.length + 9 * column.nodes.length;
  }
  const parts = { all: Int32Array.from(all), trees: Int32Array.from(trees), leafAt: leaves, values };
  return { ...parts, bits, columns, size: size + 2 * values.length };
}

/** The leaves of a tree, and for each of its nodes which of them are on its left and on its right. */
function leavesFromLeftToRight({ column, left, right }: TreeNodes, root: number, bits: NodeBits): number[] {
  const leaves: number[] = [];
  // A node waits three times: for its left side, for its right one, and for its end.
  const waiting: [node: number, side: 0 | 1 | 2][] = [[root, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [n, side] = next;
    (side === 0 ? bits.left : side === 1 ? bits.right : bits.end)[n] = leaves.length;
    if (column[n] < 0) leaves.push(left[n]);
    else if (side === 0) waiting.push([n, 1], [left[n], 0]);
    else if (side === 1) waiting.push([n, 2], [right[n], 0]);
  }
  return leaves;
}

function shiftBits({ column, left, right }: TreeNodes, root: number, bits: NodeBits, by: number): void {
  const waiting = [root];
  for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
    if (column[n] < 0) continue;
    bits.left[n] += by;
    bits.right[n] += by;
    bits.end[n] += by;
    waiting.push(left[n], right[n]);
  }
}

/** @param most integers that its lines may take; null where that is not enough */
function columnMasks(
  { nodes, sets, schema }: TreeEnsemble,
  bits: NodeBits,
  i: number,
  own: readonly number[],
  most: number,
): ColumnMasks | null {
  const groups = Int32Array.from(new Set(own.map((n) => Math.floor(bits.left[n] / (WORD * GROUP))))).sort();
  const place = new Map(Array.from(groups, (group, at) => [group, at]));
  const W = GROUP * groups.length;
  const column = schema.columns[i];
  const sorted = Int32Array.from(own);
  if (!isDiscrete(column)) sorted.sort((a, b) => nodes.threshold[a] - nodes.threshold[b] || a - b);
  const nodeGroups = sorted.map((n) => Math.floor(bits.left[n] / (WORD * GROUP)));
  /** Per node the leaves that remain where a row goes right, and those where it goes left. */
  const nodeMasks = new Int32Array(sorted.length * 2 * GROUP);
  sorted.forEach((n, at) => {
    for (let w = 0; w < GROUP; w++) {
      const word = GROUP * nodeGroups[at] + w;
      nodeMasks[2 * GROUP * at + w] = ~bitsBetween(bits.left[n], bits.right[n], word);
      nodeMasks[2 * GROUP * at + GROUP + w] = ~bitsBetween(bits.right[n], bits.end[n], word);
    }
  });
  const keep = (line: Int32Array, at: number, side: 0 | 1): void => {
    const to = GROUP * (place.get(nodeGroups[at]) as number);
    for (let w = 0; w < GROUP; w++) line[to + w] &= nodeMasks[GROUP * (2 * at + side) + w];
  };
  const masks = { groups, nodes: sorted, nodeGroups, nodeMasks };
  if (isDiscrete(column)) {
    const count = valueCount(column);
    if (count * W > most) return null;
    const lines = new Int32Array(count * W).fill(-1);
    for (let code = 0; code < count; code++) {
      const line = lines.subarray(code * W, (code + 1) * W);
      sorted.forEach((n, at) => {
        const goesLeft = nodes.set[n] >= 0 ? sets[nodes.set[n]][code] === 1 : code <= nodes.threshold[n];
        keep(line, at, goesLeft ? 1 : 0);
      });
    }
    return { ...masks, lines, shift: -1 };
  }
  const shift =
    groups.length < 2 * GROUPS_PER_NODE ? -1 : Math.floor(Math.log2(groups.length / GROUPS_PER_NODE));
  const N = sorted.length;
  const blocks = shift < 0 ? N + 1 : (N >> shift) + 1;
  if (blocks * W > most) return null;
  const lines = new Int32Array(blocks * W);
  // Rows of a block go right at the nodes before it and left at those behind it.
  const line = new Int32Array(W).fill(-1);
  for (let b = 0, at = 0; b < blocks; b++) {
    for (const start = shift < 0 ? b : b << shift; at < start; at++) keep(line, at, 0);
    lines.set(line, b * W);
  }
  line.fill(-1);
  for (let b = blocks - 1, at = N; b >= 0; b--) {
    for (const end = shift < 0 ? b : Math.min(N, (b + 1) << shift); at > end; ) keep(line, --at, 1);
    for (let k = 0; k < W; k++) lines[b * W + k] &= line[k];
  }
  const thresholds = Float64Array.from(sorted, (n) => nodes.threshold[n]);
  return { ...masks, lines, shift, thresholds, guide: guideOf(thresholds) };
}

/** The bits of a word that lie between two places among the bits of all words. */
function bitsBetween(from: number, to: number, word: number): number {
  const first = Math.max(0, from - WORD * word);
  const last = Math.min(WORD, to - WORD * word);
  if (first >= last) return 0;
  return (last === WORD ? -1 : (1 << last) - 1) & (-1 << first);
}

/** Which of the leaves from one bit to another are left. */
export function isReached(left: Int32Array, from: number, to: number): boolean {
  for (let word = Math.floor(from / WORD); WORD * word < to; word++)
    if ((left[word] & bitsBetween(from, to, word)) !== 0) return true;
  return false;
}

/** Thresholds per bucket of their range, added up: where the search for a number starts. Undefined for a range without buckets. */
function guideOf(thresholds: Float64Array): Int32Array | undefined {
  const [from, to] = [thresholds[0], thresholds[thresholds.length - 1]];
  const buckets = BUCKETS * thresholds.length;
  if (!(to - from > 0 && to - from < Number.POSITIVE_INFINITY)) return undefined;
  const guide = new Int32Array(buckets + 1);
  for (const t of thresholds) guide[bucketOf(t, from, to, buckets) + 1]++;
  for (let b = 1; b < buckets; b++) guide[b] += guide[b - 1];
  return guide.subarray(0, buckets);
}

/** Never falls as x rises: a number in a later bucket is larger. */
function bucketOf(x: number, from: number, to: number, buckets: number): number {
  return Math.min(buckets - 1, Math.floor(((x - from) / (to - from)) * buckets));
}

/** The cell of a value of a column. */
export function cellOf({ thresholds, guide }: ColumnMasks, x: number): number {
  if (!thresholds) return x;
  const n = thresholds.length;
  if (!(x > thresholds[0])) return 0;
  if (x > thresholds[n - 1]) return n;
  if (!guide) return countBelow(thresholds, x);
  let cell = guide[bucketOf(x, thresholds[0], thresholds[n - 1], BUCKETS * n)];
  while (thresholds[cell] < x) cell++;
  return cell;
}
