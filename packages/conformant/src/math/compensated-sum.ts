/**
 * A vector of running sums that keeps the low-order bits lost in each addition (Neumaier 1974), so that a sum over
 * 10⁵ columns is as exact as a sum over ten.
 */
export class CompensatedSums {
  readonly #high: Float64Array;
  readonly #low: Float64Array;

  constructor(start: ArrayLike<number>) {
    this.#high = Float64Array.from(start);
    this.#low = new Float64Array(start.length);
  }

  add(index: number, term: number): void {
    const before = this.#high[index];
    const after = before + term;
    this.#low[index] += Math.abs(before) >= Math.abs(term) ? before - after + term : term - after + before;
    this.#high[index] = after;
  }

  get(index: number): number {
    return this.#high[index] + this.#low[index];
  }
}
