import type { ColumnOptions } from "conformant-workbench";
import type { TableChoices } from "./study-messages.ts";

/** Choices as the workbench takes them. */
export function columnOptions({ kinds, exclude, decimal }: TableChoices): ColumnOptions {
  return { columns: undefined, exclude, types: new Map(Object.entries(kinds)), decimal };
}
