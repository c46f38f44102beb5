import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ProgressMessage } from "./fill-cache.ts";
import type { Progress } from "./progress.ts";
import type { RunOptions } from "./protocol/run-dataset.ts";

const program = fileURLToPath(new URL("./fill-cache.ts", import.meta.url));

/** A dataset and how to run it. */
export interface Job {
  readonly name: string;
  readonly options: RunOptions;
}

/** Runs datasets in processes of their own, `width` at a time, until their repeats are in the cache. */
export async function runInParallel(jobs: readonly Job[], width: number, progress: Progress): Promise<void> {
  const queue = [...jobs];
  const running = new Map<Job, ProgressMessage>();
  const show = (): void => {
    const states = [...running.values()];
    const share = states.reduce((sum, state) => sum + state.share, 0) / Math.max(states.length, 1);
    progress.update(states.map(({ text }) => text).join(" | "), share);
  };
  const work = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const own = job;
      const start = performance.now();
      await runOne(own, (message) => {
        running.set(own, message);
        show();
      });
      running.delete(own);
      progress.finish(`${own.name} ${own.options.split}`, start);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
}

function runOne({ name, options }: Job, hear: (message: ProgressMessage) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [name, JSON.stringify(options)]);
    child.on("message", (message) => hear(message as ProgressMessage));
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${name} was not finished`))));
  });
}
