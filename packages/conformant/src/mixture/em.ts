import type { Atoms } from "../distribution/atoms.ts";
import type { Component } from "../distribution/distribution.ts";
import type { Expectation } from "./e-step.ts";
import {
  type ComponentFit,
  type ComponentShare,
  logPriorOf,
  mismatchOf,
  type StepWorkers,
} from "./m-step.ts";
import { factorsInFit, type MixtureProblem } from "./mixture-problem.ts";
import type { Seeds } from "./seeds.ts";
import { maximizeAll } from "./steps-in-parts.ts";

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

/** EM between two steps: components whose expected sums over the rows are to be found next, or the result. */
export interface EmState {
  readonly problem: MixtureProblem;
  readonly workers: StepWorkers;
  /** What the next sums are to be of. */
  readonly components: readonly Component[];
  /** The M-step that the components came of. */
  readonly fits: readonly ComponentFit[];
  /** The step before, which is kept where this one lowers the objective; none at the start. */
  readonly before?: readonly ComponentFit[];
  /** Whether M-steps are solved to the end by now. */
  readonly exact: boolean;
  /** At the start and after each step whose sums are known. */
  readonly objective: readonly number[];
  readonly dropped: number;
  /** Present once EM has ended. */
  readonly result?: EmResult;
}

/**
 * Starts expectation–maximization for a mixture of naive conformant distributions. The M-step is naive conformant learning on each
 * component's expected counts, warm-started: rough until a step gains less than `tolerance` of all that was gained so far,
 * then exact until an exact step gains as little.
 *
 * Who has the rows drives the steps: `while (!state.result) state = stepEm(state, sums of state.components)`. Rows in memory answer
 * at once, a stream of chunks or a database later.
 *
 * @param seeds expected counts and sums to begin with
 */
export function startEm(problem: MixtureProblem, seeds: Seeds, workers: StepWorkers): EmState {
  const fits = maximizeAll(problem, seeds, firstShares(problem, seeds), false, workers);
  const components = componentsOf(fits);
  return { problem, workers, components, fits, exact: false, objective: [], dropped: 0 };
}

/** Takes the sums over the rows of the state's components, and does the next M-step unless EM has ended. */
export function stepEm(state: EmState, sums: Expectation): EmState {
  const { problem, fits, before, exact } = state;
  const reached = objectiveOf(problem, fits, sums);
  const objective = [...state.objective, reached];
  if (!before) return maximizeNext({ ...state, objective }, sums);
  const steps = state.objective.length;
  // Without the prior's part of a component that was left out the objective is another one.
  const complete = before.length === fits.length;
  if (complete && hasFallen(state.objective[steps - 1], reached))
    return endEm(state, "stalled", before, steps);
  const settled = (exact || problem.rough === true) && complete && gainedLittle(problem, objective);
  if (!settled && steps < problem.settings.maxIterations) return maximizeNext({ ...state, objective }, sums);
  const solved = fits.every((fit) => fit.solved && mismatchOf(fit) <= MOMENT_TOLERANCE);
  const status = !settled ? "iteration-limit" : solved ? "converged" : "stalled";
  return endEm({ ...state, objective }, status, fits, steps);
}

/** The M-step of the components that account for some of the rows. */
function maximizeNext(state: EmState, sums: Expectation): EmState {
  const { problem, workers, fits, objective } = state;
  const { componentWeights } = sums;
  const [kept, steps] = [weighty(problem, componentWeights), objective.length];
  // Numbers so far apart that no row has a likelihood: there is nothing to go on from.
  if (kept.length === 0) return endEm(state, "stalled", fits, steps);
  const keptWeight = kept.reduce((sum, m) => sum + componentWeights[m], 0);
  // Rough M-steps up to where they gain little, exact ones from there on.
  const last = steps >= problem.settings.maxIterations;
  const exact = state.exact || (!problem.rough && (last || gainedLittle(problem, objective)));
  const shares = kept.map((m) => ({ m, weight: componentWeights[m] / keptWeight, from: fits[m] }));
  const next = maximizeAll(problem, sums, shares, exact, workers);
  const dropped = state.dropped + fits.length - kept.length;
  return { ...state, components: componentsOf(next), fits: next, before: fits, exact, dropped };
}

/** The components that EM arrived at, and how well their last M-step was solved. */
function endEm(
  state: EmState,
  status: EmResult["status"],
  fits: readonly ComponentFit[],
  steps: number,
): EmState {
  const { problem, objective, dropped } = state;
  const result = {
    status,
    components: componentsOf(fits),
    decrement: Math.max(...fits.map((fit) => fit.decrement)),
    marginalMismatch: Math.max(...fits.map((fit) => fit.marginalMismatch)),
    ...(factorsInFit(problem).length > 0 && { momentMismatch: Math.max(...fits.map(mismatchOf)) }),
    steps,
    objective,
    dropped,
  };
  return { ...state, result };
}

/** How much of the way is done: steps end when one gains little beside all before it. */
export function progressOf({ problem: { settings }, objective, result }: EmState): number {
  if (result) return 1;
  const last = objective.length - 1;
  const bySteps = last / (settings.maxIterations + 1);
  if (last < 2) return bySteps;
  const gained = (objective[last] - objective[last - 1]) / (objective[last] - objective[0]);
  return Math.max(bySteps, Math.min(1, Math.log(gained) / Math.log(settings.tolerance)) || 0);
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
