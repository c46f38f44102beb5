import type { BinaryColumn, Column } from "conformant";

/** A column that marks the gaps of another one: it follows from the row, and nobody gives it. */
export type GapColumn = BinaryColumn & Required<Pick<BinaryColumn, "gapOf">>;

export function isGapColumn(column: Column): column is GapColumn {
  return column.kind === "binary" && column.gapOf !== undefined;
}
