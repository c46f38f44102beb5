import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { entries } from "./entries.ts";
import { knobs, problems } from "./problem.ts";
import type { Case, Outcome } from "./worker.ts";

/** Calls on each problem. */
const CALLS = 8;
/** Seconds of the processor after which a case hangs: most take milliseconds. The clock would also count what others compute. */
const HANG = 30;
/** Milliseconds between two looks at them. */
const LOOK = 200;
/** What a thread may have in memory, in megabytes. */
const MEMORY = 600;

/** How often a function was called, and how often it refused with an error of its own. */
export type Counts = Map<string, { calls: number; refused: number }>;

/**
 * Random problems and random calls on them, in a thread under a watch: a call that does not end is a failure like any other,
 * and shrinks like any other. Throws what fast-check throws, with the seed.
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
      maxLength: CALLS,
      size: "max",
    }),
  });
  let done = 0;
  try {
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const { answered, failure } = await thread.run(one);
        if (failure !== undefined) throw new Error(failure);
        answered.forEach((answer, j) => {
          const count = counts.get(one.calls[j].name);
          if (count) [count.calls, count.refused] = [count.calls + 1, count.refused + (answer ? 0 : 1)];
        });
        done += answered.length;
      }),
      {
        seed,
        numRuns: Math.ceil((2 * calls) / (CALLS + 1)),
        endOnFailure: !shrink,
        markInterruptAsFailure: true,
      },
    );
  } finally {
    await thread.end();
  }
  if (done < calls / 2) throw new Error(`only ${done} calls of ${calls} were made`);
  return counts;
}

/** A thread that is replaced when it hangs or dies. */
class Thread {
  private worker: Worker | undefined;

  async run(one: Case): Promise<Outcome> {
    this.worker ??= new Worker(new URL("./worker.mjs", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
    const { worker } = this;
    const names = one.calls.map(({ name }) => name).join(", ");
    const outcome = await new Promise<Outcome>((resolve) => {
      const begun = process.cpuUsage();
      const settle = (result: Outcome): void => {
        clearInterval(timer);
        worker.off("message", settle).off("error", die);
        resolve(result);
      };
      const die = (error: Error): void =>
        settle({ answered: [], failure: `one of ${names}: ${error.stack}` });
      const timer = setInterval(() => {
        const { user, system } = process.cpuUsage(begun);
        if (user + system > HANG * 1e6) settle({ answered: [], failure: `one of ${names} does not end` });
      }, LOOK);
      worker.on("message", settle).on("error", die);
      worker.postMessage(one);
    });
    if (outcome.failure?.startsWith("one of ")) await this.end();
    return outcome;
  }

  async end(): Promise<void> {
    await this.worker?.terminate();
    this.worker = undefined;
  }
}
