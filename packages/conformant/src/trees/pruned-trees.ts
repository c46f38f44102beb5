import type { OpenTrees } from "./open-trees.ts";
import { addLeaf, sumCount, type TreeEnsemble } from "./tree-ensemble.ts";

/** Trees of any depth, of which the nodes that are left to decide are copied. */
export class PrunedTrees implements OpenTrees {
  readonly classifier: TreeEnsemble;
  readonly start: Float64Array;
  columns: readonly number[] = [];
  #count = 0;
  #trees = 0;
  readonly #column: Int32Array;
  readonly #threshold: Float64Array;
  readonly #set: Int32Array;
  readonly #origin: Int32Array;
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  readonly #roots: Int32Array;
  readonly #asked: Uint8Array;
  readonly #leaves: Int32Array;

  constructor(classifier: TreeEnsemble) {
    const size = classifier.nodes.column.length;
    this.classifier = classifier;
    this.start = new Float64Array(sumCount(classifier));
    [this.#column, this.#origin] = [new Int32Array(size), new Int32Array(size)];
    [this.#threshold, this.#set] = [new Float64Array(size), new Int32Array(size)];
    [this.#left, this.#right] = [new Int32Array(size), new Int32Array(size)];
    this.#roots = new Int32Array(classifier.roots.length);
    this.#leaves = new Int32Array(classifier.outputs.length);
    this.#asked = new Uint8Array(classifier.schema.columns.length);
  }

  get open(): number {
    return this.#trees;
  }

  splitsOn(column: number): number[] {
    const nodes: number[] = [];
    for (let n = 0; n < this.#count; n++) if (this.#column[n] === column) nodes.push(this.#origin[n]);
    return nodes;
  }

  prune(x: Float64Array): void {
    const { classifier } = this;
    this.start.set(classifier.base);
    this.#count = 0;
    this.#trees = 0;
    this.#asked.fill(0);
    for (const root of classifier.roots) {
      const from = this.#descend(root, x);
      const leaf = classifier.nodes.column[from] < 0;
      if (leaf) addLeaf(classifier, classifier.nodes.left[from], this.start);
      else this.#roots[this.#trees++] = this.#copy(from, x);
    }
    this.columns = Array.from(this.#asked.keys()).filter((i) => this.#asked[i] === 1);
  }

  /** From a node down to the first that is a leaf or asks about a missing column. */
  #descend(node: number, x: Float64Array): number {
    const { nodes, sets } = this.classifier;
    let n = node;
    for (let i = nodes.column[n]; i >= 0 && !Number.isNaN(x[i]); i = nodes.column[n]) {
      const goesLeft = nodes.set[n] >= 0 ? sets[nodes.set[n]][x[i]] === 1 : x[i] <= nodes.threshold[n];
      n = goesLeft ? nodes.left[n] : nodes.right[n];
    }
    return n;
  }

  /** Copies what is left below a node that asks about a missing column; returns its position. */
  #copy(node: number, x: Float64Array): number {
    const { nodes } = this.classifier;
    const root = this.#count;
    this.#place(node);
    // Nodes behind `root` that have been placed and whose children have not.
    for (let n = root; n < this.#count; n++) {
      if (this.#column[n] < 0) continue;
      this.#left[n] = this.#place(this.#descend(nodes.left[this.#origin[n]], x));
      this.#right[n] = this.#place(this.#descend(nodes.right[this.#origin[n]], x));
    }
    return root;
  }

  #place(node: number): number {
    const at = this.#count++;
    const column = this.classifier.nodes.column[node];
    this.#column[at] = column;
    this.#threshold[at] = this.classifier.nodes.threshold[node];
    this.#set[at] = this.classifier.nodes.set[node];
    this.#origin[at] = node;
    if (column >= 0) this.#asked[column] = 1;
    return at;
  }

  addUp(values: readonly Float64Array[], count: number, sums: Float64Array): void {
    const S = this.start.length;
    for (let p = 0; p < count; p++) for (let s = 0; s < S; s++) sums[p * S + s] = this.start[s];
    // Tree by tree: its few nodes stay at hand for all completions.
    const parting = new Parting(count);
    for (let t = 0; t < this.#trees; t++) this.#addTree(this.#roots[t], values, parting, sums);
  }

  #addTree(root: number, completions: readonly Float64Array[], parting: Parting, sums: Float64Array): void {
    const { sets, outputs, values, width, nodes } = this.classifier;
    const { order } = parting;
    const S = this.start.length;
    const waiting = [root, 0, order.length];
    while (waiting.length > 0) {
      const [to, from, n] = [waiting.pop() as number, waiting.pop() as number, waiting.pop() as number];
      const i = this.#column[n];
      if (i >= 0) {
        const set = this.#set[n];
        const cut =
          set < 0
            ? parting.atThreshold(completions[i], this.#threshold[n], from, to)
            : parting.bySet(completions[i], sets[set], from, to);
        if (cut < to) waiting.push(this.#right[n], cut, to);
        if (from < cut) waiting.push(this.#left[n], from, cut);
        continue;
      }
      const leaf = nodes.left[this.#origin[n]];
      for (let w = 0; w < width; w++) {
        const [at, value] = [outputs[leaf] + w, values[leaf * width + w]];
        for (let j = from; j < to; j++) sums[order[j] * S + at] += value;
      }
    }
  }

  work<T>(task: () => T): T {
    return task();
  }

  leavesLeft(): Int32Array {
    let count = 0;
    for (let n = 0; n < this.#count; n++)
      if (this.#column[n] < 0) this.#leaves[count++] = this.classifier.nodes.left[this.#origin[n]];
    return this.#leaves.subarray(0, count);
  }
}

/**
 * Completions of a row on their way down a tree, all at once: those that go left of a node come first. To send one after the other down takes
 * twice as long, since no branch foresees where it goes.
 */
export class Parting {
  /** The completions, those at one node beside each other. */
  readonly order: Int32Array;
  readonly #others: Int32Array;

  constructor(count: number) {
    this.order = Int32Array.from({ length: count }, (_, p) => p);
    this.#others = new Int32Array(count);
  }

  /** Parts those from one place to another: first come those whose number is at most the threshold. Returns where the others begin. */
  atThreshold(x: Float64Array, threshold: number, from: number, to: number): number {
    const [order, others] = [this.order, this.#others];
    let cut = from;
    for (let j = from; j < to; j++) {
      const p = order[j];
      // Written to both, kept in one.
      order[cut] = p;
      others[j - cut] = p;
      cut += Number(x[p] <= threshold);
    }
    return this.#append(cut, to);
  }

  /** The same for codes: first come those that are in the set. */
  bySet(x: Float64Array, set: Uint8Array, from: number, to: number): number {
    const [order, others] = [this.order, this.#others];
    let cut = from;
    for (let j = from; j < to; j++) {
      const p = order[j];
      order[cut] = p;
      others[j - cut] = p;
      cut += Number(set[x[p]] === 1);
    }
    return this.#append(cut, to);
  }

  #append(cut: number, to: number): number {
    for (let j = cut; j < to; j++) this.order[j] = this.#others[j - cut];
    return cut;
  }
}
