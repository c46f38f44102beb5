import { type Component, createComponent } from "../../model/model.ts";
import type { FactorTarget } from "../factors/factor-in-fit.ts";
import { newton } from "../naive/newton.ts";
import { poseProblem } from "../naive/problem.ts";
import { defaultSettings } from "../naive/settings.ts";
import { startingPoint } from "../naive/starting-point.ts";
import { factorsInFit } from "./factors-in-fit.ts";
import { isCostly, type MixtureProblem, stepCost } from "./mixture-problem.ts";
import { factorPriorOf, pseudocountOf, shrinkageOf } from "./prior.ts";
import type { Seeds } from "./seeding.ts";

/** How well an M-step on the way is solved: half-solved ones cost more passes over the rows than they save. */
const ROUGHLY = { tolerance: 1e-6, maxIterations: 10 };
/** The same where a step costs more than a pass over the rows: one step from where the last M-step ended is enough to gain. */
const ONE_STEP = { tolerance: 1e-6, maxIterations: 1, unmeasured: true };

/** A component, and how well the M-step that it came of was solved. */
export interface ComponentFit {
  readonly component: Component;
  readonly u: Float64Array;
  /** Whether Newton's method converged. */
  readonly solved: boolean;
  readonly decrement: number;
  readonly marginalMismatch: number;
  readonly target: FactorTarget | undefined;
}

/** How far a component is from what the factor beside the atoms has to match, in standard deviations. */
export function mismatchOf({ component, target }: ComponentFit): number {
  return target?.mismatch(component) ?? 0;
}

/**
 * Conformant learning on the sums of component m, together with the prior's rows.
 *
 * @param weight its share of all rows
 * @param from the fit of the step before, and whether this one is solved to the end
 */
export function maximise(
  problem: MixtureProblem,
  sums: Seeds,
  m: number,
  weight: number,
  { from, exact = false }: { readonly from?: ComponentFit; readonly exact?: boolean } = {},
): ComponentFit {
  const { classifier, atoms, overall, totalWeight } = problem;
  const shrinkage = shrinkageOf(problem);
  const roughly = from && isCostly(stepCost(problem)) ? ONE_STEP : ROUGHLY;
  const shrunk = sums.counts[m].map((count, j) => count + shrinkage * overall[j]);
  // One at most: the class prior of several would be the optimum of what all of them say together.
  const [target] = factorsInFit(problem).map((factor) => factor.target(sums, m, factorPriorOf(problem)));
  const posed = {
    ...poseProblem(
      atoms,
      classifier.intercept,
      shrunk,
      weight * totalWeight + shrinkage,
      pseudocountOf(problem),
    ),
    ...(target && { others: target }),
  };
  const { status, u, decrement, marginalMismatch, evaluation } = newton(
    posed,
    { ...(exact ? defaultSettings : roughly), beforeStep: problem.check },
    from?.u ?? startingPoint(posed, problem.check),
  );
  return {
    component: createComponent(classifier, atoms, {
      logWeight: Math.log(weight),
      logQ: u,
      ...target?.match(evaluation.prior),
    }),
    u,
    solved: status === "converged",
    decrement,
    marginalMismatch,
    target,
  };
}
