import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { entries } from "./entries.ts";
import { knobs, problems } from "./problem.ts";
import type { Case, Outcome, Start } from "./worker.ts";

/** Calls on each problem, at most and, with some to spare, in the mean: they share its model. */
const [MOST_CALLS, MEAN_CALLS] = [24, 11];
/** Seconds of the processor after which a call hangs: most take milliseconds. The clock would also count what others compute. */
const HANG = 20;
/** Milliseconds between two looks at them. */
const LOOK = 200;
/** What a thread may have on its heap, one array, and the process beside what it had before a case: in megabytes. */
const MEMORY = { heap: 600, array: 64, process: 1500 } as const;
const MEGABYTE = 2 ** 20;
/** Seconds for making a failure smaller. */
const SHRINK = 60;

/** How often a function was called, and how often it refused with an error of its own. */
export type Counts = Map<string, { calls: number; refused: number }>;

/**
 * Random problems and random calls on them, in a thread under a watch: a call that does not end is a failure like any other,
 * and shrinks like any other. A failure is told at once; what fast-check has made of it is thrown, with the seed and the path.
 */
export async function torture(
  calls: number,
  seed: number,
  { names = Object.keys(entries), shrink = true } = {},
): Promise<Counts> {
  const thread = new Thread();
  const counts: Counts = new Map(names.map((name) => [name, { calls: 0, refused: 0 }]));
  const cases = fc.record({
    problem: problems,
    calls: fc.array(fc.record({ name: fc.constantFrom(...names), knobs }), {
      minLength: 1,
      maxLength: MOST_CALLS,
      size: "max",
    }),
  });
  let done = 0;
  let failedAt: number | undefined;
  try {
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        // Smaller cases are no longer looked for when the time is over: they pass, and the smallest that failed is reported.
        if (failedAt !== undefined && performance.now() - failedAt > SHRINK * 1000) return;
        const { answered, failure } = await thread.run(one);
        if (failure !== undefined) {
          if (failedAt === undefined)
            console.error(`torture with seed ${seed}, after ${done} calls: ${failure}`);
          failedAt ??= performance.now();
          throw new Error(failure);
        }
        if (failedAt !== undefined) return;
        answered.forEach((answer, j) => {
          const count = counts.get(one.calls[j].name);
          if (count) [count.calls, count.refused] = [count.calls + 1, count.refused + (answer ? 0 : 1)];
        });
        done += answered.length;
      }),
      { seed, numRuns: Math.ceil(calls / MEAN_CALLS), endOnFailure: !shrink },
    );
  } finally {
    await thread.end();
  }
  if (done < 0.9 * calls) throw new Error(`only ${done} calls of ${calls} were made`);
  return counts;
}

/** The counts as a table for people, by name, with the sum. */
export function showCounts(counts: Counts): string {
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const sum = { calls: 0, refused: 0 };
  for (const [, { calls, refused }] of rows)
    [sum.calls, sum.refused] = [sum.calls + calls, sum.refused + refused];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [["function", { calls: "calls", refused: "refused" }] as const, ...rows, ["all", sum] as const]
    .map(
      ([name, { calls, refused }]) =>
        `${name.padEnd(width)}  ${String(calls).padStart(8)}  ${String(refused).padStart(8)}`,
    )
    .join("\n");
}

/** A thread that is replaced when it hangs or dies. */
class Thread {
  private worker: Worker | undefined;
  private readonly at = new Int32Array(new SharedArrayBuffer(4));

  async run(one: Case): Promise<Outcome> {
    this.worker ??= new Worker(new URL("./worker.mjs", import.meta.url), {
      workerData: { at: this.at, mostBytes: MEMORY.array * MEGABYTE } satisfies Start,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY.heap },
    });
    const { worker } = this;
    Atomics.store(this.at, 0, 0);
    let broken = false;
    const outcome = await new Promise<Outcome>((resolve) => {
      const before = process.memoryUsage.rss();
      let [call, begun] = [0, process.cpuUsage()];
      const settle = (result: Outcome): void => {
        clearInterval(timer);
        worker.off("message", settle).off("error", die);
        resolve(result);
      };
      const breakOff = (what: string): void => {
        broken = true;
        settle({ answered: [], failure: `${one.calls[Atomics.load(this.at, 0)].name}: ${what}` });
      };
      const die = (error: Error): void => breakOff(String(error.stack));
      const timer = setInterval(() => {
        const now = Atomics.load(this.at, 0);
        if (now !== call) [call, begun] = [now, process.cpuUsage()];
        const { user, system } = process.cpuUsage(begun);
        if (user + system > HANG * 1e6) breakOff(`does not end within ${HANG} seconds`);
        const more = (process.memoryUsage.rss() - before) / MEGABYTE;
        if (more > MEMORY.process) breakOff(`takes ${Math.round(more)} megabytes`);
      }, LOOK);
      worker.on("message", settle).on("error", die);
      worker.postMessage(one);
    });
    if (broken) await this.end();
    return outcome;
  }

  async end(): Promise<void> {
    await this.worker?.terminate();
    this.worker = undefined;
  }
}
