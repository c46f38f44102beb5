import type { Column } from "conformant";

/** Whether people can enter a column; whether a value of another column is missing follows from that one. */
export function isField(column: Column): boolean {
  return column.kind !== "binary" || column.gapOf === undefined;
}
