import type { NumberCounts } from "./column-counts.ts";
import { StreamBins } from "./stream-bins.ts";

/** Different texts that are no numbers of which all are kept. */
const MOST_OTHERS = 1000;

/**
 * Counts numbers that come in ascending order with how often each occurs. The gaps of a column come first, so the weight of its values is known before the first of them. Keys that are the same number,
 * as 0 and −0 are or whole ones beyond 2⁵³ may be, come one after the other and are one value.
 */
export class NumberTally {
  /** Different values so far, the gap included. */
  values = 0;
  readonly #bins: number;
  #known: number;
  #least = Number.NaN;
  #most = Number.NaN;
  /** Rows with the largest value so far, which go to the atoms when the next one comes. */
  #ofMost = 0;
  #bits = true;
  #different = 0;
  #whole = true;
  readonly #others = new Map<string, number>();
  #atoms: StreamBins | undefined;

  constructor(bins: number, rows: number) {
    [this.#bins, this.#known] = [bins, rows];
  }

  add(number: number, text: string | null, count: number): void {
    this.values++;
    if (Number.isNaN(number)) {
      this.#known -= count;
      return;
    }
    if (number === Number.POSITIVE_INFINITY && text !== null) {
      if (this.#others.size < MOST_OTHERS) this.#others.set(text, count);
      return;
    }
    if (number !== this.#most) {
      this.#close();
      this.#most = number + 0; // −0 becomes 0
      this.#different++;
      this.#whole &&= Number.isSafeInteger(number);
    }
    this.#ofMost += count;
    if (number !== 0 && number !== 1) this.#bits = false;
  }

  #close(): void {
    if (this.#ofMost === 0) return;
    if (!this.#atoms) [this.#atoms, this.#least] = [new StreamBins(this.#bins, this.#known), this.#most];
    this.#atoms.add(this.#most, this.#ofMost);
    this.#ofMost = 0;
  }

  finish(): NumberCounts {
    this.#close();
    const marginal = (this.#atoms ?? new StreamBins(this.#bins, 0)).finish();
    return {
      kind: "number",
      known: this.#atoms || this.#others.size > 0 ? this.#known : 0,
      least: this.#least,
      most: this.#most,
      bits: this.#bits,
      different: this.#different,
      whole: this.#whole,
      others: this.#others,
      marginal,
    };
  }
}
