import { showable, toCliError } from "../errors.ts";
import type { ErrorReport } from "./thread-messages.ts";

/** Any thrown value as it is printed. */
export function describeError(thrown: unknown): ErrorReport {
  const { code, message, hint, stack = "", cause } = toCliError(thrown);
  return {
    code,
    message,
    hint,
    stack: showable(cause instanceof Error ? `${stack}\ncaused by ${cause.stack}` : stack),
  };
}
