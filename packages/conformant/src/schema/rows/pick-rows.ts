import { requireList, requireMade } from "../../errors.ts";
import { emptyLike, type Table } from "../data.ts";

/** A table of the given rows of another, in the order given. */
export function pickRows(table: Table, rows: Int32Array): Table {
  requireMade("table", table);
  requireList("rows", rows);
  const columns = table.columns.map((cells) => {
    const picked = emptyLike(cells, rows.length);
    for (let r = 0; r < rows.length; r++) picked[r] = cells[rows[r]];
    return picked;
  });
  return { ...table, rows: rows.length, columns };
}
