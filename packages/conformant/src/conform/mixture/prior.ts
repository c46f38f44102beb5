import { type Component, logAtomGivenClass } from "../../model/model.ts";
import { type BlockShrinkage, blockLogPrior } from "../block/block-prior.ts";
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

/** Columns of a block for each row's worth of shrinkage: a covariance of many columns takes more rows to be sane. */
const COLUMNS_PER_ROW = 8;

/**
 * The rows that the prior gives each component: `shrinkage` of them with the overall marginals and correlations, as many for
 * every eight columns of a block; and where the overall covariance asks for them, rows whose numbers are not correlated. A
 * mixture shares the latter out among its components, and takes no more of them than of the others: what the correlations of
 * all rows do not show may be its structure.
 */
function priorRows({ frame, settings: { shrinkage }, components }: MixtureProblem): {
  readonly correlated: number;
  readonly independent: number;
} {
  const correlated = shrinkage * Math.max(1, (frame?.origin.length ?? 0) / COLUMNS_PER_ROW);
  const wanted = (shrinkage * (frame?.independent ?? 0)) / components;
  return { correlated, independent: components === 1 ? wanted : Math.min(correlated, wanted) };
}

/** All rows of the prior. */
export function shrinkageOf(problem: MixtureProblem): number {
  const { correlated, independent } = priorRows(problem);
  return correlated + independent;
}

/** What the prior adds to the moments of a component's block. */
export function blockShrinkageOf(problem: MixtureProblem): BlockShrinkage {
  const { frame, settings, totalWeight, components, classifier } = problem;
  if (!frame) throw new Error("unreachable: moments come with a frame");
  const { correlated, independent } = priorRows(problem);
  const own = correlated + classifier.classes.length * pseudocountOf(problem);
  const rows = own + independent;
  return {
    frame,
    rows,
    correlated: rows > 0 ? own / rows : 1,
    ridge: (settings.ridge * totalWeight) / components,
  };
}

/** The prior's part of the objective, of one component. */
export function logPriorOf(problem: MixtureProblem, component: Component): number {
  const { atoms, overall } = problem;
  const { logQ, logPrior, logNormaliser, gaussian } = component;
  const K = logPrior.length;
  const c = pseudocountOf(problem);
  const shrinkage = shrinkageOf(problem);
  let sum = -shrinkage * logNormaliser;
  if (gaussian) sum += blockLogPrior(gaussian, blockShrinkageOf(problem), c);
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
