import { parentPort, workerData } from "node:worker_threads";
import { entries } from "./entries.ts";
import { limitArrays } from "./limit-arrays.ts";
import type { Knobs, Problem } from "./problem.ts";
import { checkThrown, World } from "./world.ts";

/** A problem and calls to make on it, one after the other. */
export interface Case {
  readonly problem: Problem;
  readonly calls: readonly { readonly name: string; readonly knobs: Knobs }[];
}

/** What came of a case: per call whether it answered or refused, or the first thing that was wrong. */
export interface Outcome {
  readonly answered: readonly boolean[];
  readonly failure?: string;
}

/** What a thread starts from. */
export interface Start {
  /** One number, where the thread says which of the calls it is at. */
  readonly at: Int32Array;
  /** Bytes that one array may take. */
  readonly mostBytes: number;
}

const { at, mostBytes } = workerData as Start;
limitArrays(mostBytes);

parentPort?.on("message", async (message: Case) => {
  parentPort?.postMessage(await run(message));
});

async function run({ problem, calls }: Case): Promise<Outcome> {
  const answered: boolean[] = [];
  const world = new World(problem);
  for (const [j, { name, knobs }] of calls.entries()) {
    Atomics.store(at, 0, j);
    try {
      await entries[name](world, knobs);
      answered.push(true);
    } catch (error) {
      try {
        checkThrown(error);
        answered.push(false);
      } catch (broken) {
        return { answered, failure: `${name}: ${(broken as Error).message}` };
      }
    }
  }
  return { answered };
}
