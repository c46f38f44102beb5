import type { Messages } from "../arguments/command.ts";
import { palette } from "./colour.ts";

/** Nothing is shown of what takes less than this. */
const PATIENCE_MS = 1000;
const REDRAW_MS = 100;
const BAR_WIDTH = 24;

/** Messages on standard error; progress only where it is a terminal. */
export function createMessages(stream: NodeJS.WriteStream, quiet: boolean): Messages {
  const paint = palette(stream);
  const live = stream.isTTY === true && !quiet;
  let [started, drawn, last] = [0, 0, ""];
  const clear = (): void => {
    if (drawn > 0) stream.write("\r\u001b[K");
    [started, drawn, last] = [0, 0, ""];
  };
  const line = (text: string): void => {
    clear();
    if (!quiet) stream.write(`${text}\n`);
  };
  return {
    quiet,
    note: line,
    warn: (text) => line(`${paint.yellow("note:")} ${text}`),
    clear,
    progress: (what, done, total) => {
      if (!live) return;
      const now = performance.now();
      if (what !== last) [started, last] = [started || now, what];
      if (now - started < PATIENCE_MS || now - drawn < REDRAW_MS) return;
      drawn = now;
      stream.write(`\r\u001b[K${what} ${bar(done, total)}`);
    },
  };
}

/** A bar where the end is known, else the count so far. */
function bar(done: number | undefined, total: number | undefined): string {
  if (done === undefined) return "…";
  if (!total) return `${done.toLocaleString("en")} rows`;
  const share = Math.min(1, done / total);
  const full = Math.round(share * BAR_WIDTH);
  return `${"━".repeat(full)}${"╌".repeat(BAR_WIDTH - full)} ${Math.round(100 * share)} %`;
}
