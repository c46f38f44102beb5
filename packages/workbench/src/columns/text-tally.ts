import { cleanText } from "../source/clean-text.ts";
import type { TextCounts } from "./column-counts.ts";

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
