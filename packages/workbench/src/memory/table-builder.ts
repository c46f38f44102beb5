import { count } from "../source/count.ts";
import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import { GrowingColumn, type TextColumn, type TextTable } from "./text-table.ts";

/** Cells that are held in memory at most: four bytes each, and every different text once. */
const MOST_CELLS = 50_000_000;
/** Cells between two looks at how many there will be. */
const BETWEEN = 1_000_000;
/** So many times more than can be held, by the share of the file that is read, are refused at once. */
const CLEARLY = 1.5;
/** Rows between two words about how far it is. */
const OFTEN = 20_000;

/** Where a table comes from, as far as its size goes. */
export interface GrowingOptions {
  /** What to do about a table that is too large for memory. */
  readonly tooLarge: string;
  readonly onRows?: ((rows: number) => void) | undefined;
  /** The share of the file that has come by now, where it is known; what is read of it may be a little less. */
  readonly share?: (() => number) | undefined;
}

/** A table that grows row by row. */
export class TableBuilder {
  readonly #name: string;
  readonly #options: GrowingOptions;
  readonly #columns: {
    readonly about: Omit<TextColumn, "texts" | "codes">;
    readonly cells: GrowingColumn;
  }[] = [];
  #rows = 0;
  /** The number of cells at which is looked next. */
  #look = BETWEEN;

  constructor(name: string, options: GrowingOptions) {
    [this.#name, this.#options] = [name, options];
  }

  get width(): number {
    return this.#columns.length;
  }

  /** Columns that the rows so far do not have. */
  addColumns(columns: readonly Omit<TextColumn, "texts" | "codes">[]): void {
    for (const about of columns) {
      const cells = new GrowingColumn();
      for (let r = 0; r < this.#rows; r++) cells.add(null);
      this.#columns.push({ about, cells });
    }
  }

  /** @param fields one per column, in order; a column behind the last of them has none */
  addRow(fields: readonly (string | null)[]): void {
    this.#columns.forEach(({ cells }, c) => {
      cells.add(fields[c] ?? null);
    });
    this.#rows++;
    if (this.#rows % OFTEN === 0) this.#options.onRows?.(this.#rows);
    if (this.#rows * this.width >= this.#look) this.#requireRoom();
  }

  /** Throws as soon as it is clear that the table will not fit: a person should not wait minutes to hear so. */
  #requireRoom(): void {
    const { tooLarge, share } = this.#options;
    const cells = this.#rows * this.width;
    this.#look = cells + BETWEEN;
    const expected = cells / Math.min(1, share?.() ?? 1);
    requireRoom(this.#name, expected > CLEARLY * MOST_CELLS ? expected : cells, tooLarge);
  }

  finish(mayHaveCommas: boolean): TextTable {
    const columns = this.#columns.map(({ about, cells }) => cells.finish(about));
    return { name: this.#name, rows: this.#rows, columns, mayHaveCommas };
  }
}

/** Throws where a table has, or will have, more cells than can be held. */
export function requireRoom(name: string, cells: number, tooLarge: string): void {
  if (cells <= MOST_CELLS) return;
  const about = Math.round(cells / 1e6);
  const message = `${quoted(name)} has about ${count(about)} million cells, which is more than a page can hold: expected at most ${count(MOST_CELLS / 1e6)} million`;
  throw new TableError("unreadable-file", message, { hint: tooLarge });
}
