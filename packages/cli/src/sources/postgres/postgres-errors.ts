import { CliError, quoted, systemError } from "../../errors.ts";

/** Codes of temporary failures: the server is unavailable, starting or out of connections, or transactions conflict. */
const TRANSIENT = /^(ECONNREFUSED|ECONNRESET|EPIPE|08|53300|57P01|57P02|57P03|40001|40P01)/;
/** Codes for a refused connection, which another TLS mode may avoid. */
const REFUSED = "28000";

/** Whether a retry may help. */
export function isTransient(thrown: unknown): boolean {
  if (thrown instanceof AggregateError) return thrown.errors.every(isTransient);
  const { code, message } = systemError(thrown);
  return TRANSIENT.test(code) || /connection terminated unexpectedly/i.test(message);
}

/** Whether a connection failed because of how TLS was negotiated. */
export function isTlsFailure(thrown: unknown): boolean {
  const { code, message } = systemError(thrown);
  return code === REFUSED || /SSL|TLS|EPROTO/i.test(`${code} ${message}`);
}

/** Whether another session created a table or an index between the check and the creation. */
export function isMadeMeanwhile(thrown: unknown): boolean {
  return /^(23505|42P07)$/.test(systemError(thrown).code);
}

/** Whether a statement timed out on a lock of another session. */
export function isLocked(thrown: unknown): boolean {
  return thrown instanceof CliError && systemError(thrown.cause).code === "55P03";
}

/** Whether a server has no TLS at all. */
export function lacksTls(thrown: unknown): boolean {
  return /does not support SSL/.test(systemError(thrown).message);
}

/** A server's error as an error of the command. */
export function postgresError(thrown: unknown, name: string): CliError {
  if (thrown instanceof CliError) return thrown;
  const { code, message } = systemError(thrown);
  const cause = { cause: thrown };
  if (code === "42P01") return new CliError("missing-file", `${quoted(name)}: ${message}`, cause);
  if (code === "53100") return new CliError("disk-full", `${quoted(name)}: ${message}`, cause);
  if (code === "57014" && /statement timeout/.test(message))
    return new CliError("source", `${quoted(name)}: ${message}`, {
      ...cause,
      hint: "?options=-c%20statement_timeout%3D0 in the address switches the time limit off",
    });
  if (/cannot insert multiple commands/.test(message))
    return new CliError("usage", `${quoted(name)}: --sql must be one query`, cause);
  if (/password must be a string/.test(message))
    return new CliError("connection", `${quoted(name)}: the server asks for a password, and none was found`, {
      ...cause,
      hint: "put it into PGPASSWORD, ~/.pgpass or a service file",
    });
  // Class 08 and 57P: connection lost; 28: refused; 3D: no such database; E…: the operating system.
  const connection =
    /^(08|57P|28|3D|E[A-Z])/.test(code) || /connect|terminat|timeout|certificate/i.test(message);
  const text =
    message ||
    (thrown instanceof AggregateError
      ? thrown.errors.map((error) => systemError(error).message).join("; ")
      : code);
  return new CliError(connection ? "connection" : "source", `${quoted(name)}: ${text}`, cause);
}
