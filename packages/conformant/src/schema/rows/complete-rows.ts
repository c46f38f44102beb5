import { requireMade } from "../../errors.ts";
import { type EncodedColumn, holdsNumbers, isGapCell, type Table } from "../data.ts";

/** Whether no column of a row is missing. */
export function isComplete({ columns }: Table, row: number): boolean {
  for (const cells of columns) if (isGapCell(cells, row)) return false;
  return true;
}

/** Whether none of some columns of a row is missing. */
export function isKnown({ columns }: Table, row: number, positions: readonly number[]): boolean {
  for (const i of positions) if (isGapCell(columns[i], row)) return false;
  return true;
}

/**
 * Which of the rows `start` to `end` lack a column: 1 or 0 each.
 *
 * @param positions the columns that are looked at; all without it
 */
export function rowsWithGaps(
  { columns }: Table,
  start: number,
  end: number,
  positions: Iterable<number> = columns.keys(),
): Uint8Array {
  const gaps = new Uint8Array(end - start);
  for (const i of positions) {
    const cells = columns[i];
    if (holdsNumbers(cells)) markNaN(cells, start, gaps);
    else markNegative(cells, start, gaps);
  }
  return gaps;
}

function markNaN(cells: EncodedColumn, start: number, gaps: Uint8Array): void {
  for (let r = 0; r < gaps.length; r++) if (Number.isNaN(cells[start + r])) gaps[r] = 1;
}

function markNegative(cells: EncodedColumn, start: number, gaps: Uint8Array): void {
  for (let r = 0; r < gaps.length; r++) if (cells[start + r] < 0) gaps[r] = 1;
}

/** The rows of a table that have a value in every column, ascending. */
export function findCompleteRows(table: Table): Int32Array {
  requireMade("table", table);
  const gaps = rowsWithGaps(table, 0, table.rows);
  return Int32Array.from({ length: table.rows }, (_, r) => r).filter((r) => gaps[r] === 0);
}
