import type { Classifier } from "../classifier/classifier.ts";
import { countMarginals } from "../marginals/count-marginals.ts";
import type { Table } from "../schema/data.ts";
import { type SplitRows, splitRows } from "./atom-rows.ts";
import { type EmResult, em, type MixtureProblem } from "./em.ts";
import { expectation } from "./expectation.ts";
import type { MixtureSettings } from "./mixture-settings.ts";
import { reduce } from "./problem.ts";
import { seedCounts } from "./seeding.ts";

/** Some rows of a table, with the weight of every row of it. */
export interface WeightedRows {
  readonly table: Table;
  readonly rows: Int32Array;
  readonly weights: Float64Array;
}

/** A mixture fitted to some rows of a table: the best of several starts. */
export function fitRows(
  classifier: Classifier,
  data: WeightedRows,
  components: number,
  settings: MixtureSettings,
): { readonly best: EmResult; readonly problem: MixtureProblem } {
  const { table, rows, weights } = data;
  const used = new Float64Array(table.rows);
  for (const r of rows) used[r] = weights[r];
  const marginals = countMarginals(classifier.schema, table, { weights: used, bins: settings.bins });
  const { atoms, target } = reduce(classifier, marginals, 0);
  const split = splitRows(table, atoms, classifier.intercept, rows, weights);
  const { totalWeight } = split;
  const problem = { classifier, atoms, totalWeight, overall: target, components, settings };
  const start = (seed: number): EmResult =>
    emOnRows(problem, seedCounts(table, atoms, rows, weights, components, seed), split);
  let best = start(settings.seed);
  for (let again = 1; again < settings.restarts; again++) {
    const other = start(settings.seed + again);
    if (lastObjective(other) > lastObjective(best)) best = other;
  }
  return { best, problem };
}

function emOnRows(problem: MixtureProblem, start: readonly Float64Array[], rows: SplitRows): EmResult {
  const { atoms, classifier } = problem;
  const steps = em(problem, start);
  let next = steps.next();
  while (!next.done) next = steps.next(expectation(atoms, classifier.intercept, next.value, rows));
  return next.value;
}

function lastObjective({ objective }: EmResult): number {
  return objective[objective.length - 1];
}
