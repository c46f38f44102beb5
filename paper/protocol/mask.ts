import type { Table } from "conformant";
import { random } from "./random.ts";

/**
 * The rows with `count` columns missing in each, chosen uniformly at random per row (missing completely at random). A
 * column goes missing as a whole: for a categorical one that is its one-hot group.
 */
export function maskColumns(table: Table, count: number, seed: number): Table {
  const draw = random(seed);
  const columns = table.columns.map((cells) => cells.slice());
  const order = columns.map((_, i) => i);
  for (let r = 0; r < table.rows; r++) {
    // The first steps of a shuffle; the order left behind is as good a start for the next row as any.
    for (let i = 0; i < count; i++) {
      const j = i + draw(order.length - i);
      [order[i], order[j]] = [order[j], order[i]];
      const cells = columns[order[i]];
      cells[r] = cells instanceof Float64Array || cells instanceof Float32Array ? Number.NaN : -1;
    }
  }
  return { ...table, columns };
}
