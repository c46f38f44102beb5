import { ConformantError, show } from "../errors.ts";
import type { Table } from "../schema/data.ts";

/** Throws for a row whose scores are not finite, naming the infinite number of a table made by hand where there is one. */
export function rejectInfinite(table: Table, row: number): never {
  const i = table.columns.findIndex((cells) => Math.abs(cells[row]) === Number.POSITIVE_INFINITY);
  if (i < 0) {
    const message = `row ${row}: the numbers are so large, or so unlikely together, that no probability can be computed`;
    throw new ConformantError("invalid-value", message, { row });
  }
  const { name } = table.schema.columns[i];
  const value = table.columns[i][row];
  const message = `column ${show(name)}, row ${row}: must be a finite number or missing, got ${value}`;
  throw new ConformantError("invalid-value", message, { column: name, row, value });
}
