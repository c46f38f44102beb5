import type { Column, Table } from "conformant";

/** A table without its last column, the label. */
export function withoutLast(table: Table): Table {
  return withoutColumns(table, table.schema.columns.slice(-1));
}

/** A table without some of its columns. */
export function withoutColumns(table: Table, columns: readonly Column[]): Table {
  const left = new Set(columns.map(({ name }) => name));
  const keeps = (_: unknown, i: number): boolean => !left.has(table.schema.columns[i].name);
  return {
    ...table,
    schema: { columns: table.schema.columns.filter(keeps) },
    columns: table.columns.filter(keeps),
  };
}
