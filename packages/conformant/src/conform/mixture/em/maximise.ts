import { type Component, createComponent } from "../../../model/model.ts";
import type { FactorTarget } from "../../factors/factor-in-fit.ts";
import { newton } from "../../naive/newton.ts";
import { poseProblem } from "../../naive/problem.ts";
import { defaultSettings } from "../../naive/settings.ts";
import { startingPoint } from "../../naive/starting-point.ts";
import { factorsInFit } from "../factors-in-fit.ts";
import { isCostly, type MixtureProblem, stepCost } from "../mixture-problem.ts";
import { factorPriorOf, pseudocountOf, shrinkageOf } from "../prior.ts";
import type { Seeds } from "../seeding.ts";

/** How well an M-step on the way is solved: half-solved ones cost more passes over the rows than they save. */
const ROUGHLY = { tolerance: 1e-6, maxIterations: 10, unmeasured: true };
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

/** What is to be maximised: component m of the sums with its share of all rows, from where the step before left it. */
export interface ComponentShare {
  readonly m: number;
  readonly weight: number;
  readonly from?: Pick<ComponentFit, "u"> | undefined;
}

/** What the M-step of a component came to, as numbers that can be handed from thread to thread. */
export interface SolvedComponent extends Pick<ComponentFit, "u" | "decrement" | "marginalMismatch"> {
  /** P(k) of the component, K numbers. */
  readonly prior: Float64Array;
  /** 1 where Newton's method converged, else 0. */
  readonly solved: number;
}

/** Conformant learning on the sums of a component, together with the prior's rows; with `exact` to the end. */
export function maximise(
  problem: MixtureProblem,
  sums: Seeds,
  share: ComponentShare,
  exact = false,
): ComponentFit {
  return completeFit(problem, sums, share, solveComponent(problem, sums, share, exact));
}

/** The part of {@link maximise} that takes the time. */
export function solveComponent(
  problem: MixtureProblem,
  sums: Seeds,
  { m, weight, from }: ComponentShare,
  exact: boolean,
): SolvedComponent {
  const { classifier, overall, totalWeight } = problem;
  const shrinkage = shrinkageOf(problem);
  const roughly = from && isCostly(stepCost(problem)) ? ONE_STEP : ROUGHLY;
  const shrunk = sums.counts[m].map((count, j) => count + shrinkage * overall[j]);
  const target = targetOf(problem, sums, m);
  const posed = {
    ...poseProblem(
      problem,
      classifier.intercept,
      shrunk,
      weight * totalWeight + shrinkage,
      pseudocountOf(problem),
    ),
    ...(target && { others: target }),
  };
  const { status, u, prior, decrement, marginalMismatch } = newton(
    posed,
    { ...(exact ? defaultSettings : roughly), beforeStep: problem.check },
    from?.u ?? startingPoint(posed, problem.check),
  );
  const solved = status === "converged" ? 1 : 0;
  return { u, decrement, marginalMismatch, prior, solved };
}

/** The component that a solution belongs to. */
export function completeFit(
  problem: MixtureProblem,
  sums: Seeds,
  { m, weight }: ComponentShare,
  { u, decrement, marginalMismatch, prior, solved }: SolvedComponent,
): ComponentFit {
  const target = targetOf(problem, sums, m);
  const own = { logWeight: Math.log(weight), logQ: u, ...target?.match(prior) };
  return {
    component: createComponent(problem.classifier, problem.atoms, own),
    u,
    solved: solved === 1,
    decrement,
    marginalMismatch,
    target,
  };
}

/** What the factor beside the atoms has to match. One at most: the class prior of several would be the optimum of what all of them say together. */
function targetOf(problem: MixtureProblem, sums: Seeds, m: number): FactorTarget | undefined {
  return factorsInFit(problem).map((factor) => factor.target(sums, m, factorPriorOf(problem)))[0];
}
