import type { Table } from "conformant";
import { random } from "./random.ts";

/**
 * For every row the order in which its columns (or groups of columns) go missing: with `count` missing it is the first `count`
 * of them. Each number of missing columns is uniformly at random, and what is missing with fewer is missing with more, so
 * that the scores of a row can be followed from one number to the next.
 */
export interface Removal {
  /** rows × groups: `order[r * groups.length + i]` is the group that goes missing as the i-th. */
  readonly order: Uint16Array;
  /** The columns of each group. */
  readonly groups: readonly (readonly number[])[];
}

/** Draws an order for every row (Fisher and Yates). */
export function drawRemoval(rows: number, groups: readonly (readonly number[])[], seed: number): Removal {
  const draw = random(seed);
  const n = groups.length;
  const order = new Uint16Array(rows * n);
  for (let r = 0, from = 0; r < rows; r++, from += n) {
    for (let i = 0; i < n; i++) order[from + i] = i;
    for (let i = 0; i < n - 1; i++) {
      const j = i + draw(n - i);
      const swapped = order[from + i];
      order[from + i] = order[from + j];
      order[from + j] = swapped;
    }
  }
  return { order, groups };
}

/** Every column of a table by itself. */
export function singleColumns({ columns }: Table): number[][] {
  return columns.map((_, i) => [i]);
}

/** The rows with the first `count` groups of their order missing. */
export function removeColumns(table: Table, { order, groups }: Removal, count: number): Table {
  const columns = table.columns.map((cells) => cells.slice());
  for (let r = 0; r < table.rows; r++) {
    for (let i = 0; i < count; i++) {
      for (const column of groups[order[r * groups.length + i]]) {
        const cells = columns[column];
        cells[r] = cells instanceof Float64Array || cells instanceof Float32Array ? Number.NaN : -1;
      }
    }
  }
  return { ...table, columns };
}

/** The rows with `count` columns missing in each, chosen uniformly at random per row (missing completely at random). */
export function maskColumns(table: Table, count: number, seed: number): Table {
  return removeColumns(table, drawRemoval(table.rows, singleColumns(table), seed), count);
}
