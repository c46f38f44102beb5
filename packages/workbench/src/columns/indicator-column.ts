import type { BinaryColumn, Column } from "conformant";

/** A column that marks the gaps of another one: it follows from the row, and nobody gives it. */
export type IndicatorColumn = BinaryColumn & Required<Pick<BinaryColumn, "gapOf">>;

export function isIndicatorColumn(column: Column): column is IndicatorColumn {
  return column.kind === "binary" && column.gapOf !== undefined;
}
