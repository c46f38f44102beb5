import type { Classifier } from "../classifier/classifier.ts";
import { createBlock } from "../gaussian/block.ts";
import { countMarginals } from "../marginals/count-marginals.ts";
import { BLOCK_ATOM, createAtoms } from "../model/atoms.ts";
import { type SplitRows, splitRows } from "./atom-rows.ts";
import { frameOf } from "./block-frame.ts";
import { type EmResult, em, type MixtureProblem } from "./em.ts";
import { expectation } from "./expectation.ts";
import type { MixtureSettings } from "./mixture-settings.ts";
import { reduce } from "./problem.ts";
import { type Seeds, seedComponents } from "./seeding.ts";
import type { WeightedRows } from "./weighted-rows.ts";

/** What EM arrived at, and what was asked of it. */
export interface FittedRows {
  readonly best: EmResult;
  readonly problem: MixtureProblem;
}

/**
 * A mixture fitted to some rows of a table: the best of several starts.
 *
 * @param block positions of the numeric columns that get a Gaussian instead of atoms
 */
export function fitRows(
  classifier: Classifier,
  data: WeightedRows,
  components: number,
  settings: MixtureSettings,
  block: readonly number[] = [],
): FittedRows {
  const problem = poseMixture(classifier, data, components, settings, block);
  const { atoms, frame } = problem;
  const split = splitRows(data, atoms, classifier.intercept, frame);
  const start = (seed: number): EmResult =>
    emOnRows(problem, seedComponents(data, atoms, components, seed, frame), split);
  let best = start(settings.seed);
  for (let again = 1; again < settings.restarts; again++) {
    const other = start(settings.seed + again);
    if (lastObjective(other) > lastObjective(best)) best = other;
  }
  return { best, problem };
}

/** Counts the marginals and moments of the rows: the columns of the block get a Gaussian, the others atoms. */
function poseMixture(
  classifier: Classifier,
  data: WeightedRows,
  components: number,
  settings: MixtureSettings,
  columns: readonly number[],
): MixtureProblem {
  const { table, rows, weights } = data;
  const used = new Float64Array(table.rows);
  for (const r of rows) used[r] = weights[r];
  const marginals = countMarginals(classifier.schema, table, { weights: used, bins: settings.bins });
  const { atoms, target } = reduce(classifier, marginals, 0);
  const totalWeight = rows.reduce((sum, r) => sum + weights[r], 0);
  const problem = { classifier, atoms, totalWeight, overall: target, components, settings };
  const block = createBlock(classifier, columns);
  if (!block) return problem;
  const inBlock = new Set(columns);
  const own = atoms.columns.map((column, i) => (inBlock.has(i) ? BLOCK_ATOM : column));
  const overall = atoms.columns.flatMap((_, i) =>
    inBlock.has(i) ? [1] : [...target.subarray(atoms.offsets[i], atoms.offsets[i + 1])],
  );
  return {
    ...problem,
    atoms: createAtoms(classifier, own),
    overall: Float64Array.from(overall),
    frame: frameOf(block, data),
  };
}

function emOnRows(problem: MixtureProblem, { counts, moments }: Seeds, rows: SplitRows): EmResult {
  const { atoms, classifier } = problem;
  const steps = em(problem, counts, moments);
  let next = steps.next();
  while (!next.done) next = steps.next(expectation(atoms, classifier.intercept, next.value, rows));
  return next.value;
}

function lastObjective({ objective }: EmResult): number {
  return objective[objective.length - 1];
}
