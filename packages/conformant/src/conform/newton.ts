import type { Certificate } from "../distribution/certificate.ts";
import type { FitContext } from "../kernels/context.ts";
import { dot, largestAbsolute } from "../math/vectors.ts";
import {
  type ConformProblem,
  type ConformSettings,
  holdProblem,
  roomToHold,
  tiltAtoms,
} from "./conform-problem.ts";
import { NewtonSystem } from "./newton-system.ts";
import { type Evaluation, Objective } from "./objective.ts";

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
 * Damped Newton with an Armijo line search. Stops as converged when the largest residual, as a share of its column, is within the
 * tolerance, as stalled when steps along the Newton direction no longer lower the objective or the residuals.
 */
export function newton(
  problem: ConformProblem,
  settings: NewtonSettings,
  start: Float64Array,
  context: FitContext,
): NewtonResult {
  const room = roomToHold(problem) + Objective.room(problem) + NewtonSystem.room(problem);
  return context.use(room, (kernels) => {
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
    const marginalMismatch = objective.mismatch(residual);
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

/** Scores of one column that differ by more than this between classes make the problem too stiff to start from afar. */
const GENTLE_SPREAD = 8;
/** Scores beyond this keep no digit behind the point, and are brought down to it at once: 1e89 would take hundreds of halvings. */
const STEEP_SPREAD = 2 ** 52;
/** The problem with halved scores only has to be solved roughly. */
const ROUGHLY = { tolerance: 1e-3, maxIterations: 50 };

/**
 * Where Newton's method starts. With gentle scores: log q_v = log m_v − mean_k s_kv, which is right when all classes are
 * equally likely and the scores are small. With large ones: from the solution for scores of half the size, since
 * log q − log m grows in proportion to the scores once they are large.
 *
 * @param beforeStep called before each step of these solutions
 */
export function startingPoint(
  problem: ConformProblem,
  context: FitContext,
  beforeStep?: () => void,
): Float64Array {
  const { atoms, intercept, target } = problem;
  const K = intercept.length;
  const spread = largestSpread(problem);
  if (spread <= GENTLE_SPREAD) {
    return target.map((mass, j) => {
      let mean = 0;
      for (let k = 0; k < K; k++) mean += atoms.scores[j * K + k] / K;
      return Math.log(mass) - (mass > 0 ? mean : 0);
    });
  }
  const factor = Math.max(2, spread / STEEP_SPREAD);
  const gentler = {
    ...problem,
    intercept: intercept.map((b) => b / factor),
    ...tiltAtoms({ ...atoms, scores: atoms.scores.map((s) => s / factor) }, K),
    ...(problem.others && { others: problem.others.gentler(factor) }),
  };
  const start = startingPoint(gentler, context, beforeStep);
  const { u } = newton(gentler, { ...ROUGHLY, beforeStep }, start, context);
  return u.map((x, j) => (target[j] > 0 ? factor * x - (factor - 1) * Math.log(target[j]) : x));
}

/** Largest difference between the scores of two classes on one atom, less that of another atom of the column. */
function largestSpread({ atoms, intercept }: ConformProblem): number {
  const K = intercept.length;
  let largest = 0;
  for (let i = 0; i < atoms.columns.length; i++) {
    for (let k = 1; k < K; k++) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let j = atoms.offsets[i]; j < atoms.offsets[i + 1]; j++) {
        const difference = atoms.scores[j * K + k] - atoms.scores[j * K];
        least = Math.min(least, difference);
        most = Math.max(most, difference);
      }
      largest = Math.max(largest, most - least);
    }
  }
  return largest;
}
