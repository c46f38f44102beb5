/** Where progress goes: on a terminal one line that changes, elsewhere a line per step that is finished. */
export interface Progress {
  update(text: string, share: number): void;
  finish(text: string): void;
}

/** Shows what is being done, how much of it, and for how long. */
export function showProgress(stream: Pick<NodeJS.WriteStream, "write" | "isTTY">): Progress {
  let start = performance.now();
  const seconds = (): string => `${((performance.now() - start) / 1000).toFixed(0)} s`;
  const clear = stream.isTTY ? "\r\u001b[K" : "";
  return {
    update: (text, share) => {
      if (stream.isTTY) stream.write(`${clear}${text} ${bar(share)} ${seconds()}`);
    },
    finish: (text) => {
      stream.write(`${clear}${text} in ${seconds()}\n`);
      start = performance.now();
    },
  };
}

function bar(share: number): string {
  const full = Math.round(20 * share);
  return `[${"#".repeat(full)}${".".repeat(20 - full)}] ${Math.round(100 * share)} %`;
}
