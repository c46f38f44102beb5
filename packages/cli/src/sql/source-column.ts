/** What a column of a source holds, whatever the engine calls it. */
export type Storage = "number" | "boolean" | "text" | "time" | "other";

export interface SourceColumn {
  readonly name: string;
  readonly storage: Storage;
  /** What the engine calls it, where that is not its name: engines that fold case are addressed by position. */
  readonly engineName?: string;
  /** Whether a file has no name for it, though it has names for others: what programs number rows with. */
  readonly unnamed?: boolean;
  /** The engine's own name of the type, for messages. */
  readonly type: string;
  /** The type as a definition of a table has it, where that is not its name. */
  readonly definedAs?: string;
}

/** How a column of a query's result is handed over. The query sees to it that numbers and codes are never NULL. */
export type Shape = "number" | "code" | "text";
