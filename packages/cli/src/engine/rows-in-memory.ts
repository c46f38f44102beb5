import type { EncodedColumn, Schema, Table } from "conformant";
import { emptyColumn, type RowStore } from "conformant-workbench";
import { BLOCK_ROWS } from "../output/row-file.ts";

/** Rows in the codes of a schema, in blocks of as many rows as the command reads from its file, so that sums over blocks are the same. */
export class RowsInMemory implements RowStore {
  readonly #schema: Schema;
  readonly #blocks: (readonly EncodedColumn[])[] = [];
  rows = 0;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  append({ rows, columns }: Table): void {
    for (let from = 0; from < rows; ) {
      const filled = this.rows % BLOCK_ROWS;
      if (filled === 0)
        this.#blocks.push(this.#schema.columns.map((column) => emptyColumn(column, BLOCK_ROWS)));
      const size = Math.min(rows - from, BLOCK_ROWS - filled);
      const block = this.#blocks[this.#blocks.length - 1];
      for (const [c, cells] of columns.entries()) block[c].set(cells.subarray(from, from + size), filled);
      this.rows += size;
      from += size;
    }
  }

  *blocks(): Generator<Table> {
    for (const [b, block] of this.#blocks.entries()) {
      const rows = Math.min(BLOCK_ROWS, this.rows - b * BLOCK_ROWS);
      const columns = block.map((cells) => cells.subarray(0, rows));
      yield { schema: this.#schema, rows, columns, unseen: [] };
    }
  }

  close(): void {
    this.#blocks.length = 0;
  }
}
