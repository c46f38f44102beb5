import type { Schema, Table } from "conformant";
import type { Reporter } from "../source/reporter.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import { emptyColumn } from "./empty-column.ts";

/** All rows in the codes of a schema, one compact array per column. */
export async function readTable<Cells extends CellReading>(
  source: TableSource<Cells>,
  cells: Cells,
  schema: Schema,
  rows: number,
  messages: Pick<Reporter, "progress" | "tried">,
): Promise<Table> {
  const columns = schema.columns.map((column) => emptyColumn(column, rows));
  for await (const batch of source.rows(cells, schema)) {
    columns.forEach((cells, c) => {
      for (let r = 0; r < batch.rows; r++) cells[batch.start + r] = Number(batch.columns[c][r]);
    });
    messages.progress("reading rows", batch.start + batch.rows, rows);
  }
  return { schema, rows, columns, unseen: [] };
}
