import { CliError, quoted, systemError } from "../../errors.ts";

/**
 * Codes of temporary failures: a server or another shard is unavailable, busy or out of connections. A query that exceeded its
 * user's time limit (159) would do so again.
 */
const TRANSIENT: ReadonlySet<number> = new Set([3, 32, 198, 202, 203, 209, 210, 236, 242, 279, 425, 999]);
/** Codes of a connection that could not be made or was lost. */
const CONNECTION: ReadonlySet<number> = new Set([32, 198, 209, 210, 279]);
const [TABLE_EXISTS, UNKNOWN_TABLE, UNKNOWN_DATABASE, KILLED, TOO_MUCH_MEMORY] = [57, 60, 81, 394, 241];

/** A pattern in error messages that arrive after the beginning of a result. */
export const EXCEPTION_SIGNS: readonly string[] = ["Code: ", "__exception__"];

/** Whether a line of a result is such an error message. */
export function isException(line: string): boolean {
  return /^(Code: \d+[,.] |__exception__)/.test(line) && /Exception|__exception__/.test(line);
}

/** Whether a retry may help. */
export function isTransient(thrown: unknown): boolean {
  if (thrown instanceof CliError) return false;
  const number = codeOf(thrown);
  return number === undefined
    ? /^(E[A-Z]+|UND_ERR)/.test(systemError(thrown).code) || isCut(thrown)
    : TRANSIENT.has(number);
}

/** Whether the table to create already exists. */
export function isPresent(thrown: unknown): boolean {
  return thrown instanceof CliError && codeOf(thrown.cause) === TABLE_EXISTS;
}

/** A server's error as an error of the command: one line that names the failed server, even if another one reports it. */
export function clickhouseError(thrown: unknown, name: string): CliError {
  if (thrown instanceof CliError) return thrown;
  const number = codeOf(thrown);
  const { code, message } = systemError(thrown);
  const cause = { cause: thrown };
  if (number === undefined) {
    const isNetwork = /^(E[A-Z]+|UND_ERR)/.test(code) || isCut(thrown);
    const text =
      message ||
      (thrown instanceof AggregateError ? thrown.errors.map((e) => systemError(e).message).join("; ") : code);
    return new CliError(isNetwork ? "connection" : "source", `${quoted(name)}: ${text}`, cause);
  }
  const text = sentenceOf(message);
  if (number === UNKNOWN_TABLE || number === UNKNOWN_DATABASE)
    return new CliError("missing-file", `${quoted(name)}: ${text}`, cause);
  if (number === KILLED)
    return new CliError("interrupted", `${quoted(name)}: the query was killed on the server`, cause);
  if (number === TOO_MUCH_MEMORY) return new CliError("out-of-memory", `${quoted(name)}: ${text}`, cause);
  const away = serverIn(message);
  if (CONNECTION.has(number))
    return new CliError(
      "connection",
      `${quoted(name)}: ${away ? `the server ${away} of the cluster does not answer: ` : ""}${text}`,
      {
        ...cause,
        hint: "run it again when the server is back; a fit goes on from its last finished step with --resume",
      },
    );
  return new CliError("source", `${quoted(name)}: ${text}`, cause);
}

/** The number of an error of the server. */
export function codeOf(thrown: unknown): number | undefined {
  const [, number] = /Code: (\d+)/.exec(systemError(thrown).message) ?? [];
  if (number !== undefined) return Number(number);
  const { code } = systemError(thrown);
  return /^\d+$/.test(code) ? Number(code) : undefined;
}

/** A connection that ended in the middle of a response. */
function isCut(thrown: unknown): boolean {
  return /aborted|socket hang up|premature|terminated|timeout/i.test(systemError(thrown).message);
}

/** The first host and port in a message: the server that could not be reached. */
function serverIn(message: string): string | undefined {
  return /\(?([\w.-]+|\[[0-9a-f:]+\]):(\d{2,5})\b/i
    .exec(message.replace(/Code: \d+/, ""))?.[0]
    .replace(/^\(/, "");
}

/** A message without error names, versions and stack traces. */
function sentenceOf(message: string): string {
  return message
    .replace(/^[\s\S]*?Code: \d+[.,]\s*/, "")
    .replace(/e\.displayText\(\) = /, "")
    .replace(/,?\s*e\.what\(\) = [\s\S]*$/, "")
    .replace(/\s*Stack trace[\s\S]*$/i, "")
    .replace(/DB::(Net)?Exception: /g, "")
    .replace(/Received from [\w.:[\]-]+\.\s*/, "")
    .split("\n")[0]
    .trim();
}
