import { isGapCell, type Table } from "./data.ts";

/** The rows of a table that have a value in every column, ascending. */
export function findCompleteRows({ rows, columns }: Table): Int32Array {
  const complete = new Uint8Array(rows).fill(1);
  for (const cells of columns) {
    for (let r = 0; r < rows; r++) if (isGapCell(cells, r)) complete[r] = 0;
  }
  return Int32Array.from(complete.keys()).filter((r) => complete[r] === 1);
}
