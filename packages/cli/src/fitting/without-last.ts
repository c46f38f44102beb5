import type { EncodedColumn, Table } from "conformant";

/** The rows of a table that have a value in every column. */
export function completeRows(table: Table): Int32Array {
  const complete = new Uint8Array(table.rows).fill(1);
  for (const cells of table.columns) {
    const numeric = cells instanceof Float64Array || cells instanceof Float32Array;
    for (let r = 0; r < cells.length; r++)
      if (numeric ? Number.isNaN(cells[r]) : cells[r] < 0) complete[r] = 0;
  }
  return Int32Array.from(complete.keys()).filter((r) => complete[r] === 1);
}

/** A table of the given rows of another. */
export function pickRows(table: Table, rows: Int32Array): Table {
  const columns = table.columns.map((cells) => {
    const picked = new (cells.constructor as new (length: number) => EncodedColumn)(rows.length);
    for (let r = 0; r < rows.length; r++) picked[r] = cells[rows[r]];
    return picked;
  });
  return { ...table, rows: rows.length, columns };
}

/** A table without its last column. */
export function withoutLast(table: Table): Table {
  const columns = table.schema.columns.slice(0, -1);
  return { ...table, schema: { columns }, columns: table.columns.slice(0, -1) };
}
