import { requireMade } from "../errors.ts";
import { isGapCell, type Table } from "./data.ts";

/** Whether no column of a row is missing. */
export function isComplete({ columns }: Table, row: number): boolean {
  for (const cells of columns) if (isGapCell(cells, row)) return false;
  return true;
}

/** The rows of a table that have a value in every column, ascending. */
export function findCompleteRows(table: Table): Int32Array {
  requireMade("table", table);
  return Int32Array.from({ length: table.rows }, (_, r) => r).filter((r) => isComplete(table, r));
}
