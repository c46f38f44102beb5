import type { Table } from "conformant";

/** Rows of numbers, of the first n columns; codes of categories as they are, null for a gap. */
export function cellsOf({ columns, rows }: Table, n: number): (number | null)[][] {
  return Array.from({ length: rows }, (_, r) =>
    columns.slice(0, n).map((cells) => {
      const x = cells[r];
      const gap = cells instanceof Float64Array ? Number.isNaN(x) : x < 0;
      return gap ? null : x;
    }),
  );
}
