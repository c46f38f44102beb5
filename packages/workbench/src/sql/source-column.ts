import type { TableColumn } from "../source/table-source.ts";

/** A column of a source as an engine has it. */
export interface SourceColumn extends TableColumn {
  /** The engine's name for it, where that differs: engines that fold case are addressed by position. */
  readonly engineName?: string;
  /** The type as in a table definition, with modifiers, where that differs from its name. */
  readonly definedAs?: string;
  /** The same for the base type of a domain. */
  readonly baseType?: string;
}

/** How a column of a query's result is handed over. The query sees to it that numbers and codes are never NULL. */
export type Shape = "number" | "code" | "text";
