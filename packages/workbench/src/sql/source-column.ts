import type { TableColumn } from "../source/table-source.ts";

/** A column of a source as an engine has it. */
export interface SourceColumn extends TableColumn {
  /** What the engine calls it, where that is not its name: engines that fold case are addressed by position. */
  readonly engineName?: string;
  /** The type as a definition of a table has it, with its modifiers, where that is not its name. */
  readonly definedAs?: string;
  /** The same of the type that a domain is of. */
  readonly baseType?: string;
}

/** How a column of a query's result is handed over. The query sees to it that numbers and codes are never NULL. */
export type Shape = "number" | "code" | "text";
