import { type Component, logAtomGivenClass } from "../../model/model.ts";
import type { FactorPrior } from "../factors/factor-in-fit.ts";
import { factorsInFit } from "./factors-in-fit.ts";
import type { MixtureProblem } from "./mixture-problem.ts";

/**
 * The pseudo-count of one component. A single one is the paper's method. In a mixture the paper's count, which is meant for 0/1
 * columns, is shared out among the components that were started with and among the values of a column, of which there are
 * atoms / columns on average instead of two: otherwise small components of many-valued columns are all prior, and die.
 */
export function pseudocountOf({ settings, components, atoms }: MixtureProblem): number {
  if (components === 1) return settings.pseudocount;
  const values = Math.max(2, atoms.offsets[atoms.columns.length] / atoms.columns.length);
  return (settings.pseudocount / components) * (2 / values);
}

/**
 * The rows that the prior gives each component: `shrinkage` of them with the overall marginals and correlations, times what the
 * factor needs that needs most; and where a factor asks for them, rows whose columns are not correlated. A mixture shares the
 * latter out among its components, and takes no more of them than of the others: what the correlations of all rows do not show
 * may be its structure.
 */
function priorRows(problem: MixtureProblem): { readonly correlated: number; readonly independent: number } {
  const {
    settings: { shrinkage },
    components,
  } = problem;
  const factors = factorsInFit(problem);
  const correlated = shrinkage * Math.max(1, ...factors.map((factor) => factor.priorRows));
  const wanted = (shrinkage * Math.max(0, ...factors.map((factor) => factor.independentRows))) / components;
  return { correlated, independent: components === 1 ? wanted : Math.min(correlated, wanted) };
}

/** All rows of the prior. */
export function shrinkageOf(problem: MixtureProblem): number {
  const { correlated, independent } = priorRows(problem);
  return correlated + independent;
}

/** What the prior adds to the sums of a factor beside the atoms. */
export function factorPriorOf(problem: MixtureProblem): FactorPrior {
  const { settings, totalWeight, components, classifier } = problem;
  const { correlated, independent } = priorRows(problem);
  const pseudocount = pseudocountOf(problem);
  const own = correlated + classifier.classes.length * pseudocount;
  const rows = own + independent;
  return {
    rows,
    correlated: rows > 0 ? own / rows : 1,
    pseudocount,
    ridge: (settings.ridge * totalWeight) / components,
  };
}

/** The prior's part of the objective, of one component. */
export function logPriorOf(problem: MixtureProblem, component: Component): number {
  const { atoms, overall } = problem;
  const { logQ, logPrior, logNormaliser } = component;
  const K = logPrior.length;
  const c = pseudocountOf(problem);
  const shrinkage = shrinkageOf(problem);
  let sum = -shrinkage * logNormaliser;
  for (const factor of factorsInFit(problem)) sum += factor.logPrior(component, factorPriorOf(problem));
  for (let j = 0; j < logQ.length; j++) if (overall[j] > 0) sum += shrinkage * overall[j] * logQ[j];
  if (c === 0) return sum;
  for (let k = 0; k < K; k++) sum += c * logPrior[k];
  for (let i = 0; i < atoms.columns.length; i++) {
    for (let j = atoms.offsets[i]; j < atoms.offsets[i + 1]; j++) {
      for (let k = 0; k < K; k++) sum += c * logAtomGivenClass(atoms, component, i, j, k);
    }
  }
  return sum;
}
