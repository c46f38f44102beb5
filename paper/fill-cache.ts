import { type RunOptions, runDataset } from "./protocol/run-dataset.ts";

/** What the parent process hears of. */
export interface ProgressMessage {
  readonly text: string;
  readonly share: number;
}

/*
 * A process of its own for one dataset: evaluates it and leaves the repeats in the cache, where the parent finds them.
 *
 *   fill-cache.ts DATASET OPTIONS-AS-JSON
 */
const [, , name, options] = process.argv;
if (name === undefined || options === undefined) throw new Error("fill-cache.ts is started by run.ts");
try {
  const progress = (text: string, share: number): void => {
    process.send?.({ text, share } satisfies ProgressMessage);
  };
  runDataset(name, { ...(JSON.parse(options) as RunOptions), progress });
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
process.disconnect?.();
