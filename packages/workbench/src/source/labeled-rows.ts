import type { EncodedColumn, Table } from "conformant";
import { withoutLast } from "./without-columns.ts";

/** Rows, and the class of each by its position. */
export interface LabeledRows {
  readonly table: Table;
  readonly labels: EncodedColumn;
}

/** A table whose last column is the label, and that column by itself. */
export function splitLabel(table: Table): LabeledRows {
  return { table: withoutLast(table), labels: table.columns[table.columns.length - 1] };
}
