/** What a column of a source holds, whatever the engine calls it. */
export type Storage = "number" | "boolean" | "text" | "time" | "other";

export interface SourceColumn {
  readonly name: string;
  readonly storage: Storage;
  /** The engine's own name of the type, for messages. */
  readonly type: string;
}

/** How a column of a query's result is handed over. The query sees to it that numbers and codes are never NULL. */
export type Shape = "number" | "code" | "text";
