import type { ConformantError, ErrorCode } from "conformant";
import { showable, TableError } from "conformant-workbench";

export { listed, quoted, showable } from "conformant-workbench";

/** What can go wrong around the library; `usage` is a wrong command line, the rest wrong data, model or environment. */
export type CliErrorCode =
  | "usage"
  | "missing-file"
  | "unreadable-file"
  | "unwritable-output"
  | "disk-full"
  | "interrupted"
  | "empty-data"
  | "unknown-column"
  | "unknown-row"
  | "unknown-model"
  | "missing-label"
  | "single-class"
  | "training-rows"
  | "no-columns"
  | "unsupported-type"
  | "invalid-value"
  | "unknown-category"
  | "wrong-table"
  | "changed-data"
  | "invalid-classifier"
  | "invalid-costs"
  | "csv"
  | "source"
  | "connection"
  | "not-available"
  | "not-exportable"
  | "out-of-memory"
  | "internal";

export interface CliErrorDetails {
  /** What may help, as a sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** An error that a person is meant to read; the message is one line that says what, where and what was expected. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode | ErrorCode;
  readonly hint: string | undefined;

  constructor(code: CliErrorCode | ErrorCode, message: string, { hint, cause }: CliErrorDetails = {}) {
    super(message.replace(/\s*\n\s*/g, " "), cause === undefined ? {} : { cause });
    this.code = code;
    this.hint = hint;
  }
}

/** Any thrown value as an error with a code; what no one expected is called internal. */
export function toCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  if (thrown instanceof TableError)
    return new CliError(thrown.code, thrown.message, { hint: thrown.hint, cause: thrown });
  if (isOfLibrary(thrown))
    return new CliError(thrown.code, thrown.message, { hint: thrown.details.hint, cause: thrown });
  const { code, message } = systemError(thrown);
  if (code === "ENOSPC")
    return new CliError("disk-full", `no space left on the device: ${message}`, { cause: thrown });
  if (message.includes("uv_cwd"))
    return new CliError("missing-file", "the current folder is gone or cannot be read", { cause: thrown });
  if (code === "ENOENT") return new CliError("missing-file", message, { cause: thrown });
  const hint = "this is a fault of conformant; run it again with --debug and report what it prints";
  return new CliError("internal", message, { hint, cause: thrown });
}

/** By its name: the main thread has no need of the library, which takes longer to load than all else that it does. */
function isOfLibrary(thrown: unknown): thrown is ConformantError {
  return thrown instanceof Error && thrown.name === "ConformantError";
}

/** The code and message of an error that Node or a driver threw. */
export function systemError(thrown: unknown): { readonly code: string; readonly message: string } {
  if (!(thrown instanceof Error)) return { code: "", message: showable(String(thrown)) };
  const { code = "" } = thrown as NodeJS.ErrnoException;
  return { code: String(code), message: showable(thrown.message) };
}
