import { ConformantError, show } from "../errors.ts";
import type { Column } from "./column.ts";
import type { UnseenValues } from "./data.ts";
import { UNSEEN, type ValueEncoder } from "./encode-value.ts";

const EXAMPLES = 5;

/** Counts the categories that the schema does not list while rows are encoded; they become gaps, or errors if strict. */
export class UnseenTally {
  readonly #found = new Map<string, { count: number; examples: Set<string> }>();
  readonly #strict: boolean;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  /** Encodes a cell, with an unseen category as a gap. */
  check(column: Column, value: unknown, encodeValue: ValueEncoder, row: number): number {
    return this.note(column, encodeValue(value, row), value, row);
  }

  /** Passes an encoded cell through, with {@link UNSEEN} turned into a gap and counted. */
  note(column: Column, encoded: number, value: unknown, row: number): number {
    if (encoded !== UNSEEN || column.kind !== "categorical") return encoded; // −2 is a number like any other
    const text = String(value);
    if (this.#strict) {
      const message = `column ${show(column.name)}, row ${row}: ${show(text)} is not one of its known values`;
      throw new ConformantError("unknown-category", message, { column: column.name, row, value });
    }
    const tally = this.#found.get(column.name) ?? { count: 0, examples: new Set<string>() };
    tally.count++;
    if (tally.examples.size < EXAMPLES) tally.examples.add(text);
    this.#found.set(column.name, tally);
    return -1;
  }

  report(): UnseenValues[] {
    return [...this.#found].map(([column, { count, examples }]) => ({
      column,
      count,
      examples: [...examples],
    }));
  }
}
