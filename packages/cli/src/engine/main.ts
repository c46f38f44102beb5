// The engine of the Python package: requests as JSON lines on standard input, answers as JSON lines on standard output. The work is
// done in a thread, so that the end of standard input ends the process whatever it is doing: no caller leaves an engine behind.

import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Answer } from "./requests.ts";

const [NEWLINE, MEBIBYTE] = [10, 2 ** 20];

const worker = new Worker(new URL("./thread.js", import.meta.url), {
  // A thread's own default is less than what the main thread gets, and than --max-old-space-size allows.
  resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / MEBIBYTE) },
});
worker.on("message", tell);
worker.on("error", (thrown: NodeJS.ErrnoException) => {
  if (thrown.code !== "ERR_WORKER_OUT_OF_MEMORY") return end({ code: "internal", message: thrown.message });
  end({
    code: "out-of-memory",
    message: "the engine needs more memory than Node.js may take",
    hint: "the environment variable NODE_OPTIONS=--max-old-space-size=8192 allows it 8 GiB",
  });
});

/** Ctrl-C reaches every process of a terminal; the caller decides what it means. */
process.on("SIGINT", () => undefined);
process.stdin.on("end", () => process.exit(0)).on("error", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));

let pieces: Buffer[] = [];
process.stdin.on("data", (data: Buffer) => {
  let from = 0;
  for (let at = data.indexOf(NEWLINE); at >= 0; at = data.indexOf(NEWLINE, from)) {
    pieces.push(data.subarray(from, at));
    const line = new Uint8Array(Buffer.concat(pieces)); // a copy of its own, so that the thread can take it over
    worker.postMessage(line, [line.buffer as ArrayBuffer]);
    pieces = [];
    from = at + 1;
  }
  if (from < data.length) pieces.push(data.subarray(from));
});

tell({ ready: process.versions.node });

function tell(answer: Answer): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

function end(error: NonNullable<Answer["error"]>): void {
  process.stdout.write(`${JSON.stringify({ error } satisfies Answer)}\n`, () => process.exit(1));
}
