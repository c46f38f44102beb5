import { type Random, random } from "../../math/random.ts";
import { isDiscrete, type Schema } from "../../schema/column.ts";
import type { EncodedColumn, Table } from "../../schema/data.ts";

/** A sample of rows that come by in any number, each with the same chance (Vitter 1985, algorithm R). Rows of weight 0 do not count. */
export class RowReservoir {
  readonly #schema: Schema;
  readonly #columns: readonly EncodedColumn[];
  readonly #weights: Float64Array;
  readonly #random: Random;
  #seen = 0;

  constructor(schema: Schema, size: number, seed: number) {
    this.#schema = schema;
    this.#columns = schema.columns.map((column) =>
      isDiscrete(column) ? new Int32Array(size) : new Float64Array(size),
    );
    this.#weights = new Float64Array(size);
    this.#random = random(seed);
  }

  add({ columns, rows }: Table, weights: Float64Array): void {
    for (let r = 0; r < rows; r++) {
      if (weights[r] === 0) continue;
      const place = this.#placeOf(this.#seen++);
      if (place >= this.#weights.length) continue;
      this.#weights[place] = weights[r];
      for (let c = 0; c < columns.length; c++) this.#columns[c][place] = columns[c][r];
    }
  }

  /** The place of the next row; one beyond the sample leaves it out. */
  #placeOf(seen: number): number {
    return seen < this.#weights.length ? seen : this.#random.integer(seen + 1);
  }

  finish(): { table: Table; weights: Float64Array } {
    const rows = Math.min(this.#seen, this.#weights.length);
    const columns = this.#columns.map((cells) => cells.subarray(0, rows));
    return {
      table: { schema: this.#schema, rows, columns, unseen: [] },
      weights: this.#weights.subarray(0, rows),
    };
  }
}
