import type { Storage } from "../source/table-source.ts";

/** A column in memory: each different text once, and for each row which of them it is. */
export interface TextColumn {
  readonly name: string;
  readonly storage: Storage;
  readonly type: string;
  readonly unnamed: boolean;
  /** The different texts, as they stand. */
  readonly texts: readonly string[];
  /** Of each row the position of its text, −1 where it has none. */
  readonly codes: Int32Array;
}

/** A table in memory. */
export interface TextTable {
  /** What the person calls it. */
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly TextColumn[];
  /** Whether numbers in its texts may have decimal commas. */
  readonly mayHaveCommas: boolean;
}

/** A column that grows by a cell at a time. */
export class GrowingColumn {
  #codes = new Int32Array(1024);
  #rows = 0;
  readonly #texts: string[] = [];
  readonly #places = new Map<string, number>();

  get rows(): number {
    return this.#rows;
  }

  /** Appends the cell of the next row; null for none. */
  add(text: string | null): void {
    if (this.#rows === this.#codes.length) {
      const longer = new Int32Array(2 * this.#rows);
      longer.set(this.#codes);
      this.#codes = longer;
    }
    this.#codes[this.#rows++] = text === null ? -1 : this.#place(text);
  }

  #place(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#texts.length);
    this.#texts.push(text);
    return this.#texts.length - 1;
  }

  finish(column: Omit<TextColumn, "texts" | "codes">): TextColumn {
    return { ...column, texts: this.#texts, codes: this.#codes.slice(0, this.#rows) };
  }
}

/** The text of a cell, null for none. */
export function cellText({ texts, codes }: TextColumn, row: number): string | null {
  return codes[row] < 0 ? null : texts[codes[row]];
}
