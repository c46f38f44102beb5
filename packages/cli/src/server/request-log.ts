/** One line of the log. It holds no value of any row, no query string, and no address that the server does not know. */
export interface LogEntry {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** What was handed to the network of this answer, its head included. */
  readonly bytes: number;
  /** The client left before it had the whole answer; the status is 499 where it had not even the head of it. */
  readonly aborted?: true;
}

/** Milliseconds that lines wait to be written together. */
const GATHER_MS = 50;

/** How the log speaks of a client that left before there was an answer, as nginx does. */
export const CLIENT_LEFT = 499;

/** Writes entries as JSON lines, many with one call where many come at once. */
export function createRequestLog(write: (text: string) => void): {
  readonly add: (entry: LogEntry) => void;
  readonly fault: (route: string, error: unknown) => void;
  readonly flush: () => void;
} {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) write(`${lines.join("\n")}\n`);
    lines = [];
  };
  const push = (level: string, entry: object): void => {
    if (lines.length === 0) setTimeout(flush, GATHER_MS);
    lines.push(JSON.stringify({ time: new Date().toISOString(), level, ...entry }));
  };
  return {
    add: (entry) => push(entry.status >= 500 ? "error" : "info", entry),
    fault: (route, error) => push("error", { route, ...withoutMessage(error) }),
    flush,
  };
}

/** The kind of an error and where it happened; its message might quote a value. */
function withoutMessage(error: unknown): { fault: string; at: string } {
  if (!(error instanceof Error)) return { fault: typeof error, at: "" };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    fault: error.name,
    at: frames
      .slice(0, 3)
      .map((line) => line.trim())
      .join(" "),
  };
}
