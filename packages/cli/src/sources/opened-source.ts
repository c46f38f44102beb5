import type { SourceColumn } from "conformant-workbench/sql";

/** Runs a query and returns its rows as texts. */
export type Ask = (sql: string, width: number) => Promise<(string | null)[][]>;

/** A source after it was opened. */
export interface OpenedSource {
  readonly columns: readonly SourceColumn[];
  /** The SQL that reads it. */
  readonly relation: string;
  /** Whether it is slow to read or not repeatable: the needed columns are copied first, and the copy is read. */
  readonly isCopied: boolean;
  readonly mayHaveCommas: boolean;
  /** Lines before the first row, for messages. */
  readonly headerLines: number;
  /** Throws if a file has changed since it was opened. */
  readonly requireUnchanged?: () => void;
}

/** A file after it was opened. */
export interface OpenedFile extends OpenedSource {
  /** SQL of each column as a user's query sees it, in a type that can be computed with. */
  readonly typed: () => Promise<readonly string[]>;
}
