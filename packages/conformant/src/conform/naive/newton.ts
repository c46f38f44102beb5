import { lendKernels } from "../../kernels/fast-kernels.ts";
import { dot } from "../../math/dot.ts";
import { largestAbsolute } from "../../math/largest-absolute.ts";
import type { Certificate } from "../../model/certificate.ts";
import { holdProblem, roomToHold } from "./held-problem.ts";
import { NewtonSystem } from "./newton-system.ts";
import { type Evaluation, Objective } from "./objective.ts";
import type { ConformProblem } from "./problem.ts";
import type { ConformSettings } from "./settings.ts";

/** Where Newton's method ended: log q per atom, what follows from it, and how good it is. */
export interface NewtonResult extends Pick<Certificate, "iterations" | "decrement" | "marginalMismatch"> {
  readonly status: "converged" | "iteration-limit" | "stalled";
  readonly u: Float64Array;
  /** P(k), K numbers. */
  readonly prior: Float64Array;
}

/** When to stop, and what looks on: called before each step with the largest residual. */
interface NewtonSettings extends Pick<ConformSettings, "tolerance" | "maxIterations"> {
  readonly beforeStep?: ((marginalMismatch: number) => void) | undefined;
  /** Whether nobody asks how good the last step is: to find out costs as much as another one. */
  readonly unmeasured?: boolean;
}

/** Armijo's constant: the share of the predicted decrease that a step must deliver. */
const SUFFICIENT_DECREASE = 1e-4;
/** No u moves further than this in one step: beyond it the quadratic model of a log-sum-exp means nothing. */
const LONGEST_STEP = 20;
/** Halvings of a step before the search is given up. */
const HALVINGS = 40;

/** Steps in a row that neither lower the objective beyond rounding nor improve the residuals, before it is a stall. */
const PATIENCE = 5;

/**
 * Damped Newton with an Armijo line search. Stops as converged when the largest marginal residual is within the
 * tolerance, as stalled when steps along the Newton direction no longer lower the objective or the residuals.
 */
export function newton(problem: ConformProblem, settings: NewtonSettings, start: Float64Array): NewtonResult {
  const room = roomToHold(problem) + Objective.room(problem) + NewtonSystem.room(problem);
  return lendKernels(room, (kernels) => {
    const held = holdProblem(problem, kernels);
    return descend(new Objective(held), new NewtonSystem(held), settings, start);
  });
}

function descend(
  objective: Objective,
  system: NewtonSystem,
  settings: NewtonSettings,
  start: Float64Array,
): NewtonResult {
  let u = start;
  let here = objective.evaluate(u);
  let best = {
    u,
    prior: here.prior,
    iterations: 0,
    decrement: Number.NaN,
    marginalMismatch: Number.POSITIVE_INFINITY,
  };
  for (let iterations = 0, idle = 0; ; iterations++) {
    const residual = objective.residuals(here);
    const marginalMismatch = largestAbsolute(residual);
    const [solved, last] = [marginalMismatch <= settings.tolerance, iterations >= settings.maxIterations];
    if (settings.unmeasured && (solved || last)) {
      const status = solved ? "converged" : "iteration-limit";
      return { status, ...best, u, prior: here.prior, iterations, marginalMismatch };
    }
    const direction = system.direction(here, residual);
    const decrement = dot(residual, direction);
    const better = !(marginalMismatch >= best.marginalMismatch);
    if (better) best = { u, prior: here.prior, iterations, decrement, marginalMismatch };
    if (best.marginalMismatch <= settings.tolerance) return { status: "converged", ...best };
    if (iterations >= settings.maxIterations) return { status: "iteration-limit", ...best };
    settings.beforeStep?.(marginalMismatch);
    const next = lineSearch(objective, u, here, direction, decrement);
    // At the floor of rounding the objective no longer tells better from worse; the residuals still do.
    const lower = next !== undefined && here.value - next.evaluation.value > here.rounding;
    idle = better || lower ? 0 : idle + 1;
    if (next === undefined || idle === PATIENCE) return { status: "stalled", ...best };
    u = next.u;
    here = next.evaluation;
  }
}

function lineSearch(
  objective: Objective,
  u: Float64Array,
  here: Evaluation,
  direction: Float64Array,
  decrement: number,
) {
  let step = Math.min(1, LONGEST_STEP / largestAbsolute(direction));
  for (let halving = 0; halving < HALVINGS; halving++, step /= 2) {
    const trial = u.map((x, j) => x - step * direction[j]);
    const evaluation = objective.evaluate(trial, here);
    if (evaluation.value <= here.value - SUFFICIENT_DECREASE * step * decrement + here.rounding) {
      return { u: trial, evaluation };
    }
  }
  return undefined;
}
