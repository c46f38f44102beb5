import type { BlockMoments } from "../../gaussian/moments.ts";
import { type Component, createComponent } from "../../model/model.ts";
import { shrunkTarget } from "../block/block-prior.ts";
import { type BlockTarget, matchMoments, momentMismatch } from "../block/block-target.ts";
import { newton } from "../naive/newton.ts";
import { poseProblem } from "../naive/problem.ts";
import { defaultSettings } from "../naive/settings.ts";
import { startingPoint } from "../naive/starting-point.ts";
import { hasCostlySteps, type MixtureProblem } from "./mixture-problem.ts";
import { blockShrinkageOf, pseudocountOf, shrinkageOf } from "./prior.ts";

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
  readonly target?: BlockTarget;
}

/** How far the moments of the block are from those they have to match, in standard deviations. */
export function mismatchOf({ component: { gaussian, logPrior }, target }: ComponentFit): number {
  return gaussian && target ? momentMismatch(target, gaussian, logPrior.map(Math.exp)) : 0;
}

/** Conformant learning on one component's counts and moments, together with the prior's rows. */
export function maximise(
  problem: MixtureProblem,
  { counts, moments }: { counts: Float64Array; moments: BlockMoments | undefined },
  weight: number,
  from: ComponentFit | undefined,
  exact: boolean,
): ComponentFit {
  const { classifier, atoms, overall, totalWeight } = problem;
  const shrinkage = shrinkageOf(problem);
  const roughly = from && hasCostlySteps(problem) ? ONE_STEP : ROUGHLY;
  const shrunk = counts.map((count, j) => count + shrinkage * overall[j]);
  const target = moments && shrunkTarget(moments, blockShrinkageOf(problem));
  const posed = {
    ...poseProblem(
      atoms,
      classifier.intercept,
      shrunk,
      weight * totalWeight + shrinkage,
      pseudocountOf(problem),
    ),
    ...(target && { block: target }),
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
      ...(target && { gaussian: matchMoments(target, evaluation.prior) }),
    }),
    u,
    solved: status === "converged",
    decrement,
    marginalMismatch,
    ...(target && { target }),
  };
}
