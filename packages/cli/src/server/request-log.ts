/** One line of the log. It contains no values of rows, no query string, and no unknown path. */
export interface LogEntry {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Bytes sent for this response, including headers. */
  readonly bytes: number;
  /** The client disconnected before the end of the response; the status is 499 where not even the headers were sent. */
  readonly aborted?: true;
}

/** Milliseconds that lines wait to be written together. */
const GATHER_MS = 50;

/** The status for a client that disconnected before the response, as in nginx. */
export const CLIENT_LEFT = 499;

/** Writes entries as JSON lines, many in one call where many arrive together. */
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

/** The type of an error and where it occurred; its message might quote a value. */
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
