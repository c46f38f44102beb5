import { type Estimate, exactly, sampleMean } from "./estimate.ts";

/** Weighted means of several named numbers, over all completions or over draws. */
export class NamedMeans {
  readonly names: readonly string[];
  readonly #sums: Float64Array;
  /** Running mean of the draws and sum of squares about it (Welford 1962), which no offset of the numbers cancels. */
  readonly #means: Float64Array;
  readonly #squares: Float64Array;
  #draws = 0;

  constructor(names: readonly string[]) {
    this.names = names;
    this.#sums = new Float64Array(names.length);
    this.#means = new Float64Array(names.length);
    this.#squares = new Float64Array(names.length);
  }

  add(numbers: ArrayLike<number>, weight: number): void {
    this.#draws++;
    for (let j = 0; j < this.#sums.length; j++) {
      if (weight > 0) this.#sums[j] += weight * numbers[j];
      const away = numbers[j] - this.#means[j];
      this.#means[j] += away / this.#draws;
      this.#squares[j] += away * (numbers[j] - this.#means[j]);
    }
  }

  /** @param samples how many draws there were, each with weight 1 / samples; undefined after a complete enumeration */
  estimates(samples: number | undefined): Record<string, Estimate> {
    return Object.fromEntries(
      this.names.map((name, j) => [
        name,
        samples ? sampleMean(this.#means[j], this.#squares[j], samples) : exactly(this.#sums[j]),
      ]),
    );
  }
}
