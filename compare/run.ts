/**
 * Runs a comparison: `npm run compare -- [sets | intervals | asking | columns | column-numbers | honesty | real | regression | worlds] [TABLE…] [options]`. Without a name it compares the predictions of rows with
 * masked values with those of other methods, which compare/RESULTS.md and docs/comparison.md show.
 */
const comparisons = new Map<string | undefined, () => Promise<unknown>>([
  ["sets", () => import("./sets/run.ts")],
  ["intervals", () => import("./sets/run-intervals.ts")],
  ["asking", () => import("./asking/run.ts")],
  ["columns", () => import("./columns/run.ts")],
  ["column-numbers", () => import("./columns/run-numbers.ts")],
  ["honesty", () => import("./honesty/run.ts")],
  ["real", () => import("./real/run.ts")],
  ["regression", () => import("./regression/run.ts")],
  ["worlds", () => import("./worlds/run.ts")],
]);

const named = comparisons.get(process.argv[2]);
if (named) process.argv.splice(2, 1);
void (named ?? (() => import("./compare-methods.ts")))();

export {};
