import type { Paint } from "../terminal/color.ts";
import { printable } from "../terminal/printable.ts";
import type { ErrorReport } from "./thread-messages.ts";

/** Exit statuses: a wrong command line, and wrong data, model or environment. */
const [WRONG_USAGE, FAILED] = [2, 1];

/** The exit status of an error. */
export function statusOf({ code }: Pick<ErrorReport, "code">): number {
  return code === "usage" || code === "not-available" ? WRONG_USAGE : FAILED;
}

/** An error as it is printed: one line, with a hint where there is one, or JSON. */
export function errorText(
  { code, message, hint, stack }: ErrorReport,
  { json, debug, red }: { readonly json: boolean; readonly debug: boolean; readonly red: Paint },
): string {
  if (json) {
    const error = { code, message, ...(hint && { hint }), ...(debug && { stack }) };
    return `${JSON.stringify({ error })}\n`;
  }
  const lines = [`${red(`error[${code}]:`)} ${printable(message)}`];
  if (hint) lines.push(`hint: ${printable(hint)}`);
  if (debug) lines.push(stack);
  return `${lines.join("\n")}\n`;
}
