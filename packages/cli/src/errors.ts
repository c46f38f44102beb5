import { ConformantError, type ErrorCode } from "conformant";

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
  | "missing-label"
  | "single-class"
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
  if (thrown instanceof ConformantError) {
    return new CliError(thrown.code, thrown.message, { hint: thrown.details.hint, cause: thrown });
  }
  const { code, message } = systemError(thrown);
  if (code === "ENOSPC")
    return new CliError("disk-full", `no space left on the device: ${message}`, { cause: thrown });
  if (message.includes("uv_cwd"))
    return new CliError("missing-file", "the current folder is gone or cannot be read", { cause: thrown });
  if (code === "ENOENT") return new CliError("missing-file", message, { cause: thrown });
  const hint = "this is a fault of conformant; run it again with --debug and report what it prints";
  return new CliError("internal", message, { hint, cause: thrown });
}

/** The code and message of an error that Node or a driver threw. */
export function systemError(thrown: unknown): { readonly code: string; readonly message: string } {
  if (!(thrown instanceof Error)) return { code: "", message: showable(String(thrown)) };
  const { code = "" } = thrown as NodeJS.ErrnoException;
  return { code: String(code), message: showable(thrown.message) };
}

/** Blanks and marks that nobody sees but that make a text another one: no-break spaces, zero widths, byte order marks. */
const INVISIBLE = /(?!\u200d)[\p{Cf}\p{Zl}\p{Zp}\u00a0\u2000-\u200f\u202f\u205f\u3000]/gu;

/** A name as it stands in a message: quoted, without secrets, cut where it is long, with what cannot be seen written as \u00a0. */
export function quoted(name: string): string {
  const shown = showable(name);
  const short = JSON.stringify(shown.length > 60 ? `${shown.slice(0, 57)}...` : shown);
  return short.replace(INVISIBLE, (mark) => `\\u${mark.codePointAt(0)?.toString(16).padStart(4, "0")}`);
}

/** A text without the password that it has if it is an address, wherever an address was put in place of something else. */
export function showable(text: string): string {
  return text
    .replace(/(:\/\/[^:@/]*):.*@/s, "$1:…@")
    .replace(/(password|passwd|pwd|token|secret)=.*/is, "$1=…");
}

/** A few names for a message, the rest counted. */
export function listed(names: readonly string[], most = 12): string {
  const shown = names.slice(0, most).map(quoted).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
