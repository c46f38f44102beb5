import type { Table } from "conformant";
import { random } from "conformant";
import { pickRows } from "conformant/internal";

/** Copies of each row under masks of 10 to 90 %, beside the row itself. */
const COPIES = 5;

/** The rows, and copies of them with cells hidden at random, never the last column: what a classifier for gaps is trained on. */
export function maskedCopies(table: Table, seed: number): Table {
  const order = Int32Array.from({ length: table.rows * (1 + COPIES) }, (_, r) => r % table.rows);
  const copies = pickRows(table, order);
  const columns = copies.columns.map((cells) => cells.slice());
  const features = columns.slice(0, -1);
  const generator = random(seed);
  for (let r = table.rows; r < copies.rows; r++) {
    const rate = 0.1 + 0.8 * generator.uniform();
    for (const cells of features)
      if (generator.uniform() < rate) cells[r] = cells instanceof Float64Array ? Number.NaN : -1;
  }
  return { ...copies, columns };
}
