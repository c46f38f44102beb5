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
