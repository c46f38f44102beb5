import type { Table } from "conformant";

/** A table without its last column, the label. */
export function withoutLast(table: Table): Table {
  const columns = table.schema.columns.slice(0, -1);
  return { ...table, schema: { columns }, columns: table.columns.slice(0, -1) };
}
