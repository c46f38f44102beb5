import type { SourceColumn } from "conformant-workbench/sql";

/** Runs a query and gives its rows back as texts. */
export type Ask = (sql: string, width: number) => Promise<(string | null)[][]>;

/** A source as it was found. */
export interface OpenedSource {
  readonly columns: readonly SourceColumn[];
  /** The SQL that reads it. */
  readonly relation: string;
  /** Whether it is slow to read, or may differ from time to time: what is needed of it is copied first, and the copy is read. */
  readonly isCopied: boolean;
  readonly mayHaveCommas: boolean;
  /** Lines before the first row, for messages. */
  readonly headerLines: number;
  /** Throws where a file has changed since it was opened. */
  readonly requireUnchanged?: () => void;
}

/** A file as it was found. */
export interface OpenedFile extends OpenedSource {
  /** SQL of each column as a query of the person's own sees it: in a type that can be computed with. */
  readonly typed: () => Promise<readonly string[]>;
}
