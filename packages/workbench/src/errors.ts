/** What can be wrong with a table or with what is asked of it. */
export type TableErrorCode =
  | "empty-data"
  | "missing-label"
  | "single-class"
  | "no-columns"
  | "unsupported-type"
  | "invalid-value"
  | "csv"
  | "unreadable-file";

/** An error that a person is meant to read; the message is one line that says what, where and what was expected. */
export class TableError extends Error {
  override readonly name = "TableError";
  readonly code: TableErrorCode;
  /** What may help, as a sentence. */
  readonly hint: string | undefined;

  constructor(code: TableErrorCode, message: string, { hint }: { readonly hint?: string | undefined } = {}) {
    super(message.replace(/\s*\n\s*/g, " "));
    this.code = code;
    this.hint = hint;
  }
}
