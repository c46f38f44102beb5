import type { NumericMarginal } from "conformant";

/**
 * Atoms of a numeric column from its distinct values in ascending order, one at a time: every value where there are at most
 * `bins`, else bins of about equal weight. The same bins as the library cuts from all values at once, with memory for the
 * bins only.
 */
export class StreamBins {
  readonly #bins: number;
  /** The weight that is not in a closed bin yet. */
  #left: number;
  /** The first values and their weights, for as long as every value may keep an atom of its own. */
  #firstValues: number[] = [];
  #firstWeights: number[] = [];
  #binning: Binning | undefined;

  constructor(bins: number, totalWeight: number) {
    this.#bins = bins;
    this.#left = totalWeight;
  }

  add(value: number, weight: number): void {
    if (this.#binning) {
      this.#binning.add(value, weight);
      return;
    }
    this.#firstValues.push(value);
    this.#firstWeights.push(weight);
    if (this.#firstValues.length <= this.#bins) return;
    const binning = new Binning(this.#bins, this.#left);
    this.#firstValues.forEach((first, j) => {
      binning.add(first, this.#firstWeights[j]);
    });
    this.#binning = binning;
  }

  finish(): NumericMarginal {
    if (this.#binning) return this.#binning.finish();
    const values = Float64Array.from(this.#firstValues);
    const edges = values.subarray(1).map((above, j) => between(values[j], above));
    return { kind: "numeric", exact: true, values, edges, counts: Float64Array.from(this.#firstWeights) };
  }
}

/** Closes a bin before a value that would carry it further past its share of what is left than it falls short now. */
class Binning {
  readonly #bins: number;
  #left: number;
  #weight = 0;
  #mean = 0;
  #last = Number.NaN;
  readonly #means: number[] = [];
  readonly #counts: number[] = [];
  readonly #edges: number[] = [];

  constructor(bins: number, totalWeight: number) {
    this.#bins = bins;
    this.#left = totalWeight;
  }

  add(value: number, weight: number): void {
    const target = this.#left / (this.#bins - this.#means.length);
    const past = this.#weight + weight - target > target - this.#weight;
    if (this.#weight > 0 && past && this.#means.length < this.#bins - 1) {
      this.#edges.push(between(this.#last, value));
      this.#close();
    }
    this.#weight += weight;
    this.#mean += ((value - this.#mean) * weight) / this.#weight;
    this.#last = value;
  }

  finish(): NumericMarginal {
    this.#close();
    const [values, edges, counts] = [this.#means, this.#edges, this.#counts].map((list) =>
      Float64Array.from(list),
    );
    return { kind: "numeric", exact: false, values, edges, counts };
  }

  #close(): void {
    this.#means.push(this.#mean);
    this.#counts.push(this.#weight);
    this.#left -= this.#weight;
    [this.#weight, this.#mean] = [0, 0];
  }
}

/** Half-way between two values, or the upper one where nothing lies between. */
function between(below: number, above: number): number {
  const middle = below + (above - below) / 2;
  return middle > below ? middle : above;
}
