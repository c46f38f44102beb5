import type { NumericMarginal } from "conformant";
import { type NumberStyle, readNumberText } from "conformant/texts";
import { cleanText } from "../source/clean-text.ts";
import { StreamBins } from "./stream-bins.ts";

/** How often each value of a column of texts or truth values occurs. */
export interface TextCounts {
  readonly kind: "text";
  /** Rows that have a value. */
  readonly known: number;
  readonly counts: ReadonlyMap<string, number>;
  /** Whether there are more values than the engine counts; the counts then mean nothing. */
  readonly tooMany: boolean;
}

/** A column of numbers: its atoms, its range, and whether it is only ever 0 or 1. */
export interface NumberCounts {
  readonly kind: "number";
  readonly known: number;
  readonly least: number;
  readonly most: number;
  readonly bits: boolean;
  /** How many different ones there are, and whether all of them are whole. */
  readonly different: number;
  readonly whole: boolean;
  /** Texts that are no numbers, with how often they occur; not all where there are very many. */
  readonly others: ReadonlyMap<string, number>;
  readonly marginal: NumericMarginal;
  /** The least and the largest different numbers with how often they occur, outermost first; absent where an engine cuts bins. */
  readonly lowest?: readonly NumberCount[];
  readonly highest?: readonly NumberCount[];
}

/** A number, and the rows that have it. */
export interface NumberCount {
  readonly number: number;
  readonly rows: number;
}

/** Numbers at either end that are kept. */
const ENDS = 5;

export type Counted = TextCounts | NumberCounts;

export interface ColumnCounts {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, Counted>;
}

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
  readonly #lowest: NumberCount[] = [];
  readonly #highest: NumberCount[] = [];

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
    const end = { number: this.#most, rows: this.#ofMost };
    if (this.#lowest.length < ENDS) this.#lowest.push(end);
    this.#highest.unshift(end);
    if (this.#highest.length > ENDS) this.#highest.pop();
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
      lowest: this.#lowest,
      highest: this.#highest,
    };
  }
}

/** Counts the values of a column of texts, which come with how often each occurs. */
export class TextTally {
  readonly #gaps: readonly string[];
  readonly #most: number;
  /** Different values so far, gaps and blanks around them included. */
  values = 0;
  readonly #counts = new Map<string, number>();
  #known = 0;

  constructor(gaps: readonly string[], most: number) {
    [this.#gaps, this.#most] = [gaps, most];
  }

  add(_: number, text: string | null, count: number): void {
    this.values++;
    const value = text === null ? undefined : cleanText(text, this.#gaps);
    if (value === undefined) return;
    this.#known += count;
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + count);
  }

  finish(): TextCounts {
    const tooMany = this.values >= this.#most;
    return { kind: "text", known: this.#known, counts: this.#counts, tooMany };
  }
}

/** The counts of a column of texts that are all numbers, as those of a column of numbers; undefined where one is none. */
export function numbersOfTexts(
  { counts, known }: TextCounts,
  rows: number,
  style: NumberStyle,
  bins: number,
): NumberCounts | undefined {
  const numbers = Array.from(counts, ([text, count]) => ({ number: readNumberText(text, style), count }));
  if (numbers.length === 0 || numbers.some(({ number }) => number === undefined)) return undefined;
  const tally = new NumberTally(bins, rows);
  if (known < rows) tally.add(Number.NaN, null, rows - known);
  const ascending = numbers.sort((a, b) => (a.number as number) - (b.number as number));
  for (const { number, count } of ascending) tally.add(number as number, null, count);
  return tally.finish();
}

/** A column of texts before its values are counted. */
export interface TextScreen {
  readonly name: string;
  readonly known: number;
  /** How many different ones there are, about. */
  readonly distinct: number;
  readonly shortest: number;
  readonly longest: number;
  /** How many are numbers. */
  readonly numbers: number;
  /** The first in the engine's order. */
  readonly example: string;
}
