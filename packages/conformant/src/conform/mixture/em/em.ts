import type { Atoms } from "../../../model/atoms.ts";
import type { Component } from "../../../model/model.ts";
import { thisThread } from "../../../threads/threads.ts";
import { factorsInFit } from "../factors-in-fit.ts";
import type { MixtureProblem } from "../mixture-problem.ts";
import { logPriorOf } from "../prior.ts";
import type { Seeds } from "../seeding.ts";
import type { Expectation } from "./expectation.ts";
import { type ComponentFit, type ComponentShare, mismatchOf } from "./maximise.ts";
import { maximiserOf } from "./steps-in-parts.ts";

/** A mixture that EM arrived at. */
export interface EmResult {
  /** "stalled": the steps ended without an optimum, because one of them could not be solved or lowered the objective. */
  readonly status: "converged" | "iteration-limit" | "stalled";
  readonly components: readonly Component[];
  readonly steps: number;
  /** Mean log-likelihood of the rows with the prior's part, at the start and after each step: it never falls. */
  readonly objective: readonly number[];
  /** Components that ran empty and were left out. */
  readonly dropped: number;
  /** The worst of the last M-step's Newton decrements and marginal residuals. */
  readonly decrement: number;
  readonly marginalMismatch: number;
  /** With factors beside the atoms: how far the worst component is from what it has to match, in standard deviations. */
  readonly momentMismatch?: number;
}

/** Standard deviations by which moments may be off in a fit that counts as solved: what rounding leaves of weights of ±1000. */
const MOMENT_TOLERANCE = 1e-6;
/** A share of the objective's size that is the rounding of a sum over rows, */
const ROUNDING = 1e-13;
/** and one by which no rounding lowers it. */
const FALL = 1e-9;
/** A component that accounts for less than half a row has nothing to tell, */
const LEAST_WEIGHT = 0.5;
/** unless rows weigh so little that this is much beside an even share of them: then less than this part of that share. */
const LEAST_SHARE = 0.5;

/**
 * Expectation–maximisation for a mixture of naive conformant distributions. The M-step is naive conformant learning on each
 * component's expected counts, warm-started: rough until a step gains less than `tolerance` of all that was gained so far,
 * then exact until an exact step gains as little.
 *
 * The generator yields components and is to be sent what the rows make of them, so that the same loop serves rows in memory,
 * a stream of chunks and a database.
 *
 * @param start expected counts and sums to begin with
 * @param maximiseAll who does the M-steps; default: the calling thread
 */
export function* em(
  problem: MixtureProblem,
  start: Seeds,
  maximiseAll = maximiserOf(problem, thisThread),
): Generator<readonly Component[], EmResult, Expectation> {
  const { settings } = problem;
  let fits = maximiseAll(start, firstShares(problem, start), false);
  let step = yield componentsOf(fits);
  const objective = [objectiveOf(problem, fits, step)];
  let dropped = 0;
  let exact = false;
  for (let steps = 1; ; steps++) {
    const kept = weighty(problem, step.componentWeights);
    // Numbers so far apart that no row has a likelihood: there is nothing to go on from.
    if (kept.length === 0) return { status: "stalled", ...outcome(problem, fits), steps, objective, dropped };
    dropped += fits.length - kept.length;
    const keptWeight = kept.reduce((sum, m) => sum + step.componentWeights[m], 0);
    const last = steps >= settings.maxSteps;
    // Rough M-steps up to where they gain little, exact ones from there on.
    exact ||= !problem.rough && (last || gainedLittle(problem, objective));
    const shares = kept.map((m) => ({ m, weight: step.componentWeights[m] / keptWeight, from: fits[m] }));
    const next = maximiseAll(step, shares, exact);
    const after = yield componentsOf(next);
    const reached = objectiveOf(problem, next, after);
    const complete = kept.length === fits.length;
    if (complete && hasFallen(objective[objective.length - 1], reached))
      return { status: "stalled", ...outcome(problem, fits), steps, objective, dropped };
    fits = next;
    step = after;
    objective.push(reached);
    // Without the prior's part of a component that was left out the objective is another one.
    const settled = (exact || problem.rough) && complete && gainedLittle(problem, objective);
    if (!settled && !last) continue;
    const result = outcome(problem, fits);
    const solved = fits.every(({ solved }) => solved) && (result.momentMismatch ?? 0) <= MOMENT_TOLERANCE;
    const status = !settled ? "iteration-limit" : solved ? "converged" : "stalled";
    return { status, ...result, steps, objective, dropped };
  }
}

/** The components of a fit and how well their last M-step was solved. */
function outcome(
  problem: MixtureProblem,
  fits: readonly ComponentFit[],
): Pick<EmResult, "components" | "decrement" | "marginalMismatch" | "momentMismatch"> {
  return {
    components: componentsOf(fits),
    decrement: Math.max(...fits.map((fit) => fit.decrement)),
    marginalMismatch: Math.max(...fits.map((fit) => fit.marginalMismatch)),
    ...(factorsInFit(problem).length > 0 && { momentMismatch: Math.max(...fits.map(mismatchOf)) }),
  };
}

/** Whether an objective is lower than the one before it, by more than rounding, or none at all. */
function hasFallen(before: number, now: number): boolean {
  return Number.isNaN(now) || now < before - FALL * (1 + Math.abs(before));
}

/** The components to go on with; the one of the largest weight is always among them. */
function weighty({ totalWeight, components }: MixtureProblem, weights: Float64Array): number[] {
  const least = Math.min(LEAST_WEIGHT, (LEAST_SHARE * totalWeight) / components);
  return Array.from(weights.keys()).filter((m) => weights[m] >= least);
}

function firstShares({ atoms }: MixtureProblem, { counts }: Seeds): ComponentShare[] {
  const weights = counts.map((own) => largestColumnSum(atoms, own));
  const total = weights.reduce((sum, w) => sum + w, 0);
  return weights.map((weight, m) => ({ m, weight: weight / total }));
}

function componentsOf(fits: readonly ComponentFit[]): readonly Component[] {
  return fits.map(({ component }) => component);
}

/**
 * Mean over the rows of log P(y), plus the prior's part: per component `shrinkage` rows of the overall marginals,
 * Σ_iv f_iv log q_iv − log Z each, and the pseudo-counts, c·( Σ_kiv log P(v | k) + Σ_k log P(k) ).
 */
function objectiveOf(problem: MixtureProblem, fits: readonly ComponentFit[], step: Expectation): number {
  const prior = fits.reduce((sum, { component }) => sum + logPriorOf(problem, component), 0);
  return (step.logLikelihood + prior) / problem.totalWeight;
}

/** Whether the last step gained less than `tolerance` of all that was gained so far, or no more than rounding. */
function gainedLittle(
  { settings: { tolerance }, gainedBefore = 0 }: MixtureProblem,
  objective: readonly number[],
): boolean {
  const last = objective.length - 1;
  if (last < 2) return false;
  let all = Math.max(0, gainedBefore);
  for (let at = 1; at <= last; at++) all += Math.max(0, objective[at] - objective[at - 1]);
  const rounding = ROUNDING * (1 + Math.abs(objective[last]));
  return objective[last] - objective[last - 1] <= Math.max(tolerance * all, rounding);
}

function largestColumnSum({ columns, offsets }: Atoms, counts: Float64Array): number {
  return columns.reduce(
    (largest, _, i) =>
      Math.max(
        largest,
        counts.subarray(offsets[i], offsets[i + 1]).reduce((a, b) => a + b, 0),
      ),
    0,
  );
}
