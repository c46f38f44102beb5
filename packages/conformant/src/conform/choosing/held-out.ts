import { atomCode } from "../../model/atoms.ts";
import { isGapCell } from "../../schema/data.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";
import { splitRows } from "../mixture/atom-rows.ts";
import type { EmResult } from "../mixture/em/em.ts";
import { expectation } from "../mixture/em/expectation.ts";
import { factorsInFit, framesAt } from "../mixture/factors-in-fit.ts";
import type { MixtureProblem } from "../mixture/mixture-problem.ts";
import { logShares, type Resolution } from "./resolution.ts";

/** Mean log-likelihood of held-out rows over their known columns, all of them described by atoms. */
export function heldOutLikelihood(
  { atoms, classifier }: MixtureProblem,
  { components }: EmResult,
  data: WeightedRows,
): number {
  const held = splitRows(data, atoms, classifier.intercept);
  return expectation(atoms, classifier.intercept, components, held).logLikelihood / held.totalWeight;
}

/**
 * The same on a scale on which atoms and Gaussians compare: the probability of the values as they are recorded, at the
 * column's resolution. An atom's mass is spread evenly over the values it stands for; a Gaussian counts with its mass in the
 * value's cell, given the columns before it in the block. Both are probabilities, so that neither a spike nor a column
 * with few values can be worth more than 1.
 */
export function recordedLikelihood(
  problem: MixtureProblem,
  { components }: EmResult,
  data: WeightedRows,
  resolutions: readonly (Resolution | undefined)[],
): number {
  const { atoms, classifier } = problem;
  const { table, rows, weights } = data;
  const elsewhere = new Set(factorsInFit(problem).flatMap((factor) => factor.columns));
  const recorded = framesAt(
    problem,
    resolutions.map((resolution) => resolution?.step ?? 1),
  );
  const held = splitRows(data, atoms, classifier.intercept, recorded);
  let { logLikelihood } = expectation(atoms, classifier.intercept, components, held);
  resolutions.forEach((resolution, i) => {
    if (!resolution || elsewhere.has(i)) return;
    const shares = logShares(atoms, i, resolution);
    for (const r of rows) {
      if (!isGapCell(table.columns[i], r))
        logLikelihood += weights[r] * shares[atomCode(atoms, i, table.columns[i], r)];
    }
  });
  return logLikelihood / held.totalWeight;
}
