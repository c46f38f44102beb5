/**
 * Runs a comparison: `npm run compare -- [sets | asking] [TABLE…] [options]`. Without a name it compares the predictions of rows with
 * masked values with those of other methods, which is what docs/comparison.md shows.
 */
const comparisons: Readonly<Record<string, () => Promise<unknown>>> = {
  sets: () => import("./sets/run.ts"),
  asking: () => import("./asking/run.ts"),
};

const run = comparisons[process.argv[2] ?? ""];
if (run) process.argv.splice(2, 1);
await (run ?? (() => import("./compare-methods.ts")))();
