import { fastContext } from "../kernels/context.ts";
import type { FitKernels, SplitMasks } from "../kernels/kernels.ts";
import { keepCell } from "../kernels/plain-trees.ts";
import { type ColumnMasks, cellOf, isReached, type LeafMasks } from "./leaf-masks.ts";
import type { OpenTrees } from "./open-trees.ts";
import { addLeaf, sumCount, type TreeEnsemble } from "./tree-ensemble.ts";

/** Completions that are evaluated together. */
const TOGETHER = 256;

/** The leaves that remain possible given the known values of a row, as bit masks. */
export class MaskedTrees implements OpenTrees {
  readonly classifier: TreeEnsemble;
  readonly start: Float64Array;
  columns: readonly number[] = [];
  open = 0;
  readonly #masks: LeafMasks;
  /** The leaves that the missing values may lead to. */
  readonly #left: Int32Array;
  /** The open trees, as in the masks. */
  readonly #trees: Int32Array;
  /** Their positions among all trees. */
  readonly #which: Int32Array;
  readonly #leaves: Int32Array;
  #memory: Memory | undefined;

  constructor(classifier: TreeEnsemble, masks: LeafMasks) {
    this.classifier = classifier;
    this.start = new Float64Array(sumCount(classifier));
    this.#masks = masks;
    this.#left = new Int32Array(masks.all.length);
    this.#trees = new Int32Array(masks.trees.length);
    this.#leaves = new Int32Array(classifier.outputs.length);
    this.#which = new Int32Array(masks.trees.length / 2);
  }

  work<T>(task: () => T): T {
    const { all, columns, size, trees } = this.#masks;
    const D = columns.filter((column) => column !== undefined).length;
    const perDraw = D / 2 + this.start.length;
    // Every array may start at the next even place.
    const room = (size + 3 * all.length + trees.length + 8 * D) / 2 + TOGETHER * perDraw + 16 * (D + 8);
    return fastContext.use(Math.ceil(room), (kernels) => {
      this.#memory = {
        kernels,
        columns: [],
        left: kernels.integers(all.length),
        trees: kernels.integers(trees.length),
        values: kernels.hold(this.#masks.values),
        cells: kernels.integers(D * TOGETHER),
        sums: kernels.numbers(TOGETHER * this.start.length),
        scratch: kernels.integers(all.length + 8 * D),
      };
      try {
        return task();
      } finally {
        this.#memory = undefined;
      }
    });
  }

  prune(x: Float64Array): void {
    const { classifier } = this;
    const { all, columns, trees, leafAt, bits } = this.#masks;
    const left = this.#left;
    left.set(all);
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i];
      if (column && !Number.isNaN(x[i])) keepCell(column, cellOf(column, x[i]), left);
    }
    this.start.set(classifier.base);
    this.open = 0;
    for (let t = 0; t < trees.length; t += 2) {
      let [only, count] = [-1, 0];
      for (let w = trees[t]; w < this.#endOf(t / 2); w++) {
        if (left[w] === 0) continue;
        count += (left[w] & (left[w] - 1)) === 0 ? 1 : 2;
        only = w;
      }
      if (count > 1) {
        this.#which[this.open] = t / 2;
        this.#trees[2 * this.open] = trees[t];
        this.#trees[2 * this.open++ + 1] = trees[t + 1];
      } else addLeaf(classifier, leafAt[32 * only + 31 - Math.clz32(left[only])], this.start);
    }
    const missing: number[] = [];
    const divides = (n: number): boolean =>
      isReached(left, bits.left[n], bits.right[n]) && isReached(left, bits.right[n], bits.end[n]);
    for (let i = 0; i < columns.length; i++)
      if (Number.isNaN(x[i]) && columns[i]?.nodes.some(divides)) missing.push(i);
    this.columns = missing;
  }

  splitsOn(column: number): readonly number[] {
    const { bits, columns } = this.#masks;
    const left = this.#left;
    return Array.from(columns[column]?.nodes ?? []).filter(
      (n) => isReached(left, bits.left[n], bits.right[n]) && isReached(left, bits.right[n], bits.end[n]),
    );
  }

  addUp(values: readonly Float64Array[], count: number, out: Float64Array): void {
    const memory = this.#memory;
    if (!memory) {
      this.work(() => this.addUp(values, count, out));
      return;
    }
    const { kernels, left, trees, cells, sums, scratch } = memory;
    const S = this.start.length;
    const masks = this.columns.map((i) => this.#masks.columns[i] as ColumnMasks);
    const held = this.columns.map(
      (i) => (memory.columns[i] ??= holdMasks(kernels, this.#masks.columns[i] as ColumnMasks)),
    );
    left.set(this.#left);
    trees.set(this.#trees);
    const task = {
      columns: held,
      left,
      trees,
      open: this.open,
      values: memory.values,
      width: this.classifier.width,
      S,
    };
    for (let from = 0; from < count; from += TOGETHER) {
      const own = Math.min(TOGETHER, count - from);
      masks.forEach((column, j) => {
        const x = values[this.columns[j]];
        for (let p = 0; p < own; p++) cells[j * own + p] = cellOf(column, x[from + p]);
      });
      for (let p = 0; p < own; p++) for (let s = 0; s < S; s++) sums[p * S + s] = this.start[s];
      kernels.addLeaves(task, cells, own, sums, scratch);
      out.set(sums.subarray(0, own * S), from * S);
    }
  }

  leavesLeft(): Int32Array {
    const { trees, leafAt } = this.#masks;
    const [left, leaves] = [this.#left, this.#leaves];
    let count = 0;
    for (let o = 0; o < this.open; o++) {
      const t = this.#which[o];
      for (let w = trees[2 * t]; w < this.#endOf(t); w++)
        for (let bits = left[w]; bits !== 0; bits &= bits - 1)
          leaves[count++] = leafAt[32 * w + 31 - Math.clz32(bits & -bits)];
    }
    return leaves.subarray(0, count);
  }

  /** Where the words of a tree end; empty ones may stand before that. */
  #endOf(t: number): number {
    const { trees, all } = this.#masks;
    return 2 * t + 2 < trees.length ? trees[2 * t + 2] : all.length;
  }
}

/** What the kernels hold while rows are answered. */
interface Memory {
  readonly kernels: FitKernels;
  /** The columns that were asked for so far. */
  readonly columns: SplitMasks[];
  readonly left: Int32Array;
  readonly trees: Int32Array;
  readonly values: Float64Array;
  readonly cells: Int32Array;
  readonly sums: Float64Array;
  readonly scratch: Int32Array;
}

function holdMasks(
  kernels: FitKernels,
  { groups, lines, shift, nodeGroups, nodeMasks }: ColumnMasks,
): SplitMasks {
  const [list, all] = [kernels.holdIntegers(groups), kernels.holdIntegers(lines)];
  const [own, masks] = [kernels.holdIntegers(nodeGroups), kernels.holdIntegers(nodeMasks)];
  return { groups: list, lines: all, shift, nodeGroups: own, nodeMasks: masks };
}
