import type { Messages } from "../options/command.ts";
import { palette } from "./color.ts";
import { printable } from "./printable.ts";
import { progressText, type Stage } from "./progress-text.ts";
import { displayWidth } from "./text-table.ts";

/** Milliseconds before a stage shows progress. */
const PATIENCE_MS = 1000;
/** Milliseconds between two updates of the elapsed time. */
const REDRAW_MS = 250;
/** Columns of a terminal that does not report its width. */
const USUAL_COLUMNS = 80;

/** Writes messages to standard error; progress only on a terminal that can overwrite a line. */
export function createMessages(stream: NodeJS.WriteStream): Messages {
  const paint = palette(stream);
  const live = stream.isTTY === true && process.env.TERM !== "dumb";
  let stage: Stage | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When the first stage began, and the width of the current progress line. */
  let [begun, width] = [0, 0];
  const columns = (): number => stream.columns || USUAL_COLUMNS;
  const erase = (): void => {
    if (width === 0) return;
    // In a terminal that became narrower the line wraps into several rows. Without escape sequences only the last one is overwritten.
    const above = Math.ceil(width / columns()) - 1;
    const blanks = `\r${" ".repeat(Math.min(width, columns() - 1))}\r`;
    stream.write(process.env.NO_COLOR ? blanks : `${above > 0 ? `\u001b[${above}A` : ""}\r\u001b[J`);
    width = 0;
  };
  const draw = (): void => {
    const now = performance.now();
    if (!stage || now - begun < PATIENCE_MS) return;
    const text = progressText(stage, now, columns() - 1);
    erase();
    stream.write(text);
    width = displayWidth(text);
  };
  const line = (text: string): void => {
    erase();
    stream.write(`${text}\n`);
  };
  return {
    quiet: false,
    note: (text) => line(printable(text)),
    warn: (text) => line(`${paint.yellow("note:")} ${printable(text)}`),
    clear: () => {
      erase();
      clearInterval(timer);
      [stage, timer] = [undefined, undefined];
    },
    progress: (what, done, total, detail) => {
      if (!live) return;
      const now = performance.now();
      if (!timer) [begun, timer] = [now, setInterval(draw, REDRAW_MS).unref()];
      stage = { what, done, total, detail, since: continues(stage, what, done, total) ? stage.since : now };
    },
  };
}

/** Whether this is the same stage, or one that is further along. */
function continues(
  stage: Stage | undefined,
  what: string,
  done: number | undefined,
  total: number | undefined,
): stage is Stage {
  if (stage === undefined) return false;
  const onward = total !== undefined && stage.total === total && (done ?? 0) >= (stage.done ?? 0);
  return onward || (stage.what === what && total === undefined);
}

/** Writes results and errors only. */
export function silence(messages: Messages): Messages {
  const nothing = (): void => undefined;
  return { ...messages, quiet: true, note: nothing, warn: nothing, progress: nothing };
}
