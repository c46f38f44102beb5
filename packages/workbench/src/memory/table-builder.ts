import { TableError } from "../errors.ts";
import { count } from "../words/count.ts";
import { quoted } from "../words/quoted.ts";
import { GrowingColumn, type TextColumn, type TextTable } from "./text-table.ts";

/** Cells that are held in memory at most: four bytes each, and every different text once. */
const MOST_CELLS = 50_000_000;
/** Rows between two words about how far it is. */
const OFTEN = 20_000;

/** A table that grows row by row. */
export class TableBuilder {
  readonly #name: string;
  readonly #tooLarge: string;
  readonly #onRows: ((rows: number) => void) | undefined;
  readonly #columns: {
    readonly about: Omit<TextColumn, "texts" | "codes">;
    readonly cells: GrowingColumn;
  }[] = [];
  #rows = 0;

  constructor(
    name: string,
    options: { readonly tooLarge: string; readonly onRows?: ((rows: number) => void) | undefined },
  ) {
    [this.#name, this.#tooLarge, this.#onRows] = [name, options.tooLarge, options.onRows];
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
    if (this.#rows % OFTEN !== 0) return;
    this.#onRows?.(this.#rows);
    requireRoom(this.#name, this.#rows * this.width, this.#tooLarge);
  }

  finish(mayHaveCommas: boolean): TextTable {
    const columns = this.#columns.map(({ about, cells }) => cells.finish(about));
    return { name: this.#name, rows: this.#rows, columns, mayHaveCommas };
  }
}

/** Throws where a table has more cells than can be held. */
export function requireRoom(name: string, cells: number, tooLarge: string): void {
  if (cells <= MOST_CELLS) return;
  const message = `${quoted(name)} has more than ${count(MOST_CELLS)} cells, which is more than a page can hold`;
  throw new TableError("unreadable-file", message, { hint: tooLarge });
}
