import { addLeaf, answerCount, linkSums, sumCount, type TreeEnsemble } from "./tree-ensemble.ts";

/**
 * What is left of the trees once the known values of a row have decided where they can: the sums of all trees that end in one
 * leaf already, and the nodes on missing columns of the others.
 */
export class PrunedTrees {
  readonly classifier: TreeEnsemble;
  /** The base and the leaves that are reached whatever is missing, S numbers. */
  readonly start: Float64Array;
  /** The missing columns that decide anything, ascending. */
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

  constructor(classifier: TreeEnsemble) {
    const size = classifier.nodes.column.length;
    this.classifier = classifier;
    this.start = new Float64Array(sumCount(classifier));
    [this.#column, this.#origin] = [new Int32Array(size), new Int32Array(size)];
    [this.#threshold, this.#set] = [new Float64Array(size), new Int32Array(size)];
    [this.#left, this.#right] = [new Int32Array(size), new Int32Array(size)];
    this.#roots = new Int32Array(classifier.roots.length);
    this.#asked = new Uint8Array(classifier.schema.columns.length);
  }

  /** How many trees are left to decide. */
  get open(): number {
    return this.#trees;
  }

  /** The nodes of the original trees that are left, and on which columns they ask. */
  *splits(): Iterable<{ readonly node: number; readonly column: number }> {
    for (let n = 0; n < this.#count; n++)
      if (this.#column[n] >= 0) yield { node: this.#origin[n], column: this.#column[n] };
  }

  /**
   * Prunes by a row.
   *
   * @param x per column the number or the code, NaN for a gap
   */
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

  /**
   * The sums of the trees where the missing columns have the given values.
   *
   * @param values per column its values, `count` of them; of missing columns only
   * @param sums count × S, overwritten
   */
  addUp(values: readonly Float64Array[], count: number, sums: Float64Array): void {
    const S = this.start.length;
    for (let p = 0; p < count; p++) for (let s = 0; s < S; s++) sums[p * S + s] = this.start[s];
    // Tree by tree: its few nodes stay at hand for all completions.
    const parting = new Parting(count);
    for (let t = 0; t < this.#trees; t++) this.#addTree(this.#roots[t], values, parting, sums);
  }

  /** What the trees answer where the missing columns have the given values: count × K. */
  answers(values: readonly Float64Array[], count: number): Float64Array {
    const { classifier } = this;
    const [S, K] = [this.start.length, answerCount(classifier)];
    const sums = new Float64Array(count * S);
    this.addUp(values, count, sums);
    const out = new Float64Array(count * K);
    const answer = new Float64Array(K);
    for (let p = 0; p < count; p++) {
      linkSums(classifier, sums, answer, p * S);
      out.set(answer, p * K);
    }
    return out;
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

  /** Visits the leaves of the trees that are left to decide. */
  visitLeaves(visit: (leaf: number) => void): void {
    for (let n = 0; n < this.#count; n++)
      if (this.#column[n] < 0) visit(this.classifier.nodes.left[this.#origin[n]]);
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
