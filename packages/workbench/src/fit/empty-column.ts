import type { Column, EncodedColumn } from "conformant";

/** An array for the cells of a column, as compact as its values allow. */
export function emptyColumn(column: Column, rows: number): EncodedColumn {
  if (column.kind === "numeric") return new Float64Array(rows);
  const values =
    column.kind === "categorical"
      ? column.values.length
      : column.kind === "binned"
        ? column.edges.length + 1
        : 2;
  if (values <= 127) return new Int8Array(rows);
  return values <= 32_767 ? new Int16Array(rows) : new Int32Array(rows);
}
