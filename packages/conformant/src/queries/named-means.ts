import { type Estimate, exactly, sampleMean } from "./estimate.ts";

/** Weighted means of several named numbers, over all completions or over draws. */
export class NamedMeans {
  readonly names: readonly string[];
  private readonly sums: Float64Array;
  private readonly squares: Float64Array;

  constructor(names: readonly string[]) {
    this.names = names;
    this.sums = new Float64Array(names.length);
    this.squares = new Float64Array(names.length);
  }

  add(numbers: ArrayLike<number>, weight: number): void {
    for (let j = 0; j < this.sums.length; j++) {
      this.sums[j] += weight * numbers[j];
      this.squares[j] += weight * numbers[j] ** 2;
    }
  }

  /** @param samples how many draws there were, each with weight 1 / samples; undefined after a complete enumeration */
  estimates(samples: number | undefined): Record<string, Estimate> {
    const n = samples ?? 1;
    return Object.fromEntries(
      this.names.map((name, j) => [
        name,
        samples ? sampleMean(n * this.sums[j], n * this.squares[j], n) : exactly(this.sums[j]),
      ]),
    );
  }
}
