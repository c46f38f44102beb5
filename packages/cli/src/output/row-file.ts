import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { EncodedColumn, Schema, Table } from "conformant";
import { emptyColumn, type RowStore } from "conformant-workbench";
import { outputError } from "./atomic-file.ts";
import { scratchFolder } from "./scratch-folder.ts";

/** Rows per block: a few MB. */
export const BLOCK_ROWS = 65_536;

/**
 * Rows as codes of a schema, in a file of the scratch folder: as compact as in memory, and read as often as needed with the memory of one
 * block. A block stores its rows column by column.
 */
export class RowFile implements RowStore {
  readonly #schema: Schema;
  readonly #file: number;
  readonly #path = join(scratchFolder(), "rows");
  /** The block being filled, and its number of rows. */
  readonly #columns: readonly EncodedColumn[];
  #filled = 0;
  /** Rows of each written block. */
  readonly #blocks: number[] = [];

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#columns = schema.columns.map((column) => emptyColumn(column, BLOCK_ROWS));
    this.#file = this.#attempt(() => openSync(this.#path, "w+", 0o600));
  }

  get rows(): number {
    return this.#blocks.reduce((sum, rows) => sum + rows, 0) + this.#filled;
  }

  append({ rows, columns }: Table): void {
    for (let from = 0; from < rows; ) {
      const size = Math.min(rows - from, BLOCK_ROWS - this.#filled);
      for (const [c, cells] of columns.entries())
        this.#columns[c].set(cells.subarray(from, from + size), this.#filled);
      this.#filled += size;
      from += size;
      if (this.#filled === BLOCK_ROWS) this.#flush();
    }
  }

  /** All rows, one block at a time; a block is valid until the next one is requested. */
  *blocks(): Generator<Table> {
    this.#flush();
    let position = 0;
    for (const rows of this.#blocks) {
      const columns = this.#columns.map((cells) => cells.subarray(0, rows));
      for (const cells of columns) {
        this.#attempt(() => readSync(this.#file, cells, 0, cells.byteLength, position));
        position += cells.byteLength;
      }
      yield { schema: this.#schema, rows, columns, unseen: [] };
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    if (this.#filled === 0) return;
    const columns = this.#columns.map((cells) => cells.subarray(0, this.#filled));
    this.#attempt(() => {
      for (const cells of columns) writeSync(this.#file, cells, 0, cells.byteLength);
    });
    this.#blocks.push(this.#filled);
    this.#filled = 0;
  }

  #attempt<T>(action: () => T): T {
    try {
      return action();
    } catch (thrown) {
      throw outputError(this.#path, thrown);
    }
  }
}
