/**
 * Runs a comparison: `npm run compare -- [sets | asking] [TABLE…] [options]`. Without a name it compares the predictions of rows with
 * masked values with those of other methods, which compare/RESULTS.md and docs/comparison.md show.
 */
const comparisons = new Map<string | undefined, () => Promise<unknown>>([
  ["sets", () => import("./sets/run.ts")],
  ["asking", () => import("./asking/run.ts")],
]);

const named = comparisons.get(process.argv[2]);
if (named) process.argv.splice(2, 1);
void (named ?? (() => import("./compare-methods.ts")))();

export {};
