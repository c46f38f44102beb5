/** The codes of errors about a table or a request. */
export type TableErrorCode =
  | "empty-data"
  | "empty-column"
  | "missing-label"
  | "single-class"
  | "training-rows"
  | "no-columns"
  | "unsupported-type"
  | "invalid-value"
  | "csv"
  | "unreadable-file"
  | "unknown-column"
  | "invalid-classifier"
  | "wrong-table"
  | "unknown-class"
  | "changed-data"
  | "not-exportable"
  | "usage";

export interface TableErrorDetails {
  /** A hint, as a sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** An error for the user; the message is one line that says what, where and what was expected. */
export class TableError extends Error {
  override readonly name = "TableError";
  readonly code: TableErrorCode;
  /** A hint, as a sentence. */
  readonly hint: string | undefined;

  constructor(code: TableErrorCode, message: string, { hint, cause }: TableErrorDetails = {}) {
    super(message.replace(/\s*\n\s*/g, " "), cause === undefined ? {} : { cause });
    this.code = code;
    this.hint = hint;
  }
}
