import { parentPort } from "node:worker_threads";
import { entries } from "./entries.ts";
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

parentPort?.on("message", async (message: Case) => {
  parentPort?.postMessage(await run(message));
});

async function run({ problem, calls }: Case): Promise<Outcome> {
  const answered: boolean[] = [];
  const world = new World(problem);
  for (const { name, knobs } of calls) {
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
