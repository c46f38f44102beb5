import type { NumericMarginal } from "conformant";
import { marginalsFromCounts } from "conformant/remote";
import { LARGEST } from "../source/needed-value.ts";

/** Different values that are kept so that the library itself cuts the bins: 16 MB for a column. */
const MOST_KEPT = 1 << 20;

const schema = { columns: [{ name: "x", kind: "numeric" as const }] };

/**
 * Atoms of a numeric column from its distinct values in ascending order, one at a time: every value where there are at most
 * `bins`, else bins of about equal weight. Up to a million values the library's bins, which are cut from both ends and need
 * all of them; of more values bins that are cut from the least on, with memory for the bins only.
 */
export class StreamBins {
  readonly #bins: number;
  readonly #totalWeight: number;
  readonly #mostKept: number;
  /** The values and their weights, for as long as all of them are kept. */
  #values: number[] = [];
  #weights: number[] = [];
  #binning: Binning | undefined;

  constructor(bins: number, totalWeight: number, mostKept = MOST_KEPT) {
    [this.#bins, this.#totalWeight, this.#mostKept] = [bins, totalWeight, Math.max(bins, mostKept)];
  }

  add(value: number, weight: number): void {
    if (this.#binning) {
      this.#binning.add(value, weight);
      return;
    }
    this.#values.push(value);
    this.#weights.push(weight);
    if (this.#values.length <= this.#mostKept) return;
    this.#binning = this.#cutFromLeast();
    [this.#values, this.#weights] = [[], []];
  }

  /** The atoms; what was kept is given up. */
  finish(): NumericMarginal {
    const marginal = this.#binning?.finish() ?? this.#atomsOfKept();
    [this.#values, this.#weights] = [[], []];
    return marginal;
  }

  #atomsOfKept(): NumericMarginal {
    const values = Float64Array.from(this.#values);
    if (values.length <= this.#bins) {
      const edges = values.subarray(1).map((above, j) => between(values[j], above));
      return { kind: "numeric", exact: true, values, edges, counts: Float64Array.from(this.#weights) };
    }
    // The library takes no such number: whoever reads the rows refuses it later, and says in which of them it stands.
    if (Math.max(-values[0], values[values.length - 1]) > LARGEST) return this.#cutFromLeast().finish();
    const pairs = this.#values.map((value, j) => [value, this.#weights[j]] as const);
    const rows = this.#weights.reduce((sum, weight) => sum + weight, 0);
    const { columns } = marginalsFromCounts(schema, { rows, columns: { x: pairs } }, { bins: this.#bins });
    return columns[0] as NumericMarginal;
  }

  #cutFromLeast(): Binning {
    const binning = new Binning(this.#bins, this.#totalWeight);
    this.#values.forEach((kept, j) => {
      binning.add(kept, this.#weights[j]);
    });
    return binning;
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
