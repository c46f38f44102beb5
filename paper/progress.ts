/** Where progress goes: on a terminal one line that changes, elsewhere a line per step that is finished. */
export interface Progress {
  update(text: string, share: number): void;
  /**
   * @param since when it was begun, in milliseconds of `performance.now`; default: when the last one was finished
   * @returns seconds
   */
  finish(text: string, since?: number): number;
  /** A line that is not about time. */
  say(text: string): void;
}

/** Shows what is being done, how much of it, and for how long. */
export function showProgress(stream: Pick<NodeJS.WriteStream, "write" | "isTTY">): Progress {
  let start = performance.now();
  const seconds = (since: number): number => (performance.now() - since) / 1000;
  const clear = stream.isTTY ? "\r\u001b[K" : "";
  return {
    update: (text, share) => {
      if (stream.isTTY) stream.write(`${clear}${text} ${bar(share)} ${seconds(start).toFixed(0)} s`);
    },
    finish: (text, since = start) => {
      const taken = seconds(since);
      stream.write(`${clear}${text} in ${taken.toFixed(0)} s\n`);
      start = performance.now();
      return taken;
    },
    say: (text) => {
      stream.write(`${clear}${text}\n`);
    },
  };
}

function bar(share: number): string {
  const full = Math.round(20 * share);
  return `[${"#".repeat(full)}${".".repeat(20 - full)}] ${Math.round(100 * share)} %`;
}
