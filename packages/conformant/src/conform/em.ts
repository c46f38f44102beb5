import type { Classifier } from "../classifier/classifier.ts";
import type { BlockMoments } from "../gaussian/moments.ts";
import type { Atoms } from "../model/atoms.ts";
import { type Component, createComponent } from "../model/model.ts";
import type { BlockFrame } from "./block-frame.ts";
import { type BlockShrinkage, blockLogPrior, shrunkTarget } from "./block-prior.ts";
import { type BlockTarget, matchMoments, momentMismatch } from "./block-target.ts";
import type { Expectation } from "./expectation.ts";
import type { MixtureSettings } from "./mixture-settings.ts";
import { newton } from "./newton.ts";
import { poseProblem } from "./problem.ts";
import { defaultSettings } from "./settings.ts";
import { startingPoint } from "./starting-point.ts";

/** What is to be fitted. The rows themselves stay with whoever answers the expectation steps. */
export interface MixtureProblem {
  readonly classifier: Classifier;
  readonly atoms: Atoms;
  /** The weight of all rows. */
  readonly totalWeight: number;
  /** Shares of the atoms in their column, over all rows: what components are shrunk towards. */
  readonly overall: Float64Array;
  /** The block and its overall moments, where numeric columns are described by a Gaussian. */
  readonly frame?: BlockFrame;
  /** M, as asked for. */
  readonly components: number;
  readonly settings: MixtureSettings;
  /** Called between the steps of an M-step: it may end the work by throwing. */
  readonly check?: (() => void) | undefined;
  /** What steps before these gained, where they go on from an earlier fit: the measure of a small gain. Default 0. */
  readonly gainedBefore?: number;
}

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
  /** With a block: how far the worst component's moments are from those it has to match, in standard deviations. */
  readonly momentMismatch?: number;
}

/** Standard deviations by which moments may be off in a fit that counts as solved: what rounding leaves of weights of ±1000. */
const MOMENT_TOLERANCE = 1e-6;
/** A share of the objective's size that is the rounding of a sum over rows, */
const ROUNDING = 1e-13;
/** and one by which no rounding lowers it. */
const FALL = 1e-9;
/** How well an M-step on the way is solved: half-solved ones cost more passes over the rows than they save. */
const ROUGHLY = { tolerance: 1e-6, maxIterations: 10 };
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
 * @param start expected counts to begin with, M × atoms
 * @param moments with a block: its expected moments to begin with, M of them
 */
export function* em(
  problem: MixtureProblem,
  start: readonly Float64Array[],
  moments?: readonly BlockMoments[],
): Generator<readonly Component[], EmResult, Expectation> {
  const { settings } = problem;
  let fits = firstFits(problem, start, moments);
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
    exact ||= last || gainedLittle(problem, objective);
    const next = kept.map((m) =>
      maximise(
        problem,
        { counts: step.counts[m], moments: step.moments?.[m] },
        step.componentWeights[m] / keptWeight,
        fits[m],
        exact,
      ),
    );
    const after = yield componentsOf(next);
    const reached = objectiveOf(problem, next, after);
    const complete = kept.length === fits.length;
    if (complete && hasFallen(objective[objective.length - 1], reached))
      return { status: "stalled", ...outcome(problem, fits), steps, objective, dropped };
    fits = next;
    step = after;
    objective.push(reached);
    // Without the prior's part of a component that was left out the objective is another one.
    const settled = exact && complete && gainedLittle(problem, objective);
    if (!settled && !last) continue;
    const result = outcome(problem, fits);
    const solved = fits.every(({ solved }) => solved) && (result.momentMismatch ?? 0) <= MOMENT_TOLERANCE;
    const status = !settled ? "iteration-limit" : solved ? "converged" : "stalled";
    return { status, ...result, steps, objective, dropped };
  }
}

/** The components of a fit and how well their last M-step was solved. */
function outcome(
  { frame }: MixtureProblem,
  fits: readonly ComponentFit[],
): Pick<EmResult, "components" | "decrement" | "marginalMismatch" | "momentMismatch"> {
  return {
    components: componentsOf(fits),
    decrement: Math.max(...fits.map((fit) => fit.decrement)),
    marginalMismatch: Math.max(...fits.map((fit) => fit.marginalMismatch)),
    ...(frame && { momentMismatch: Math.max(...fits.map(mismatchOf)) }),
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

interface ComponentFit {
  readonly component: Component;
  readonly u: Float64Array;
  /** Whether Newton's method converged. */
  readonly solved: boolean;
  readonly decrement: number;
  readonly marginalMismatch: number;
  readonly target?: BlockTarget;
}

function mismatchOf({ component: { gaussian, logPrior }, target }: ComponentFit): number {
  return gaussian && target ? momentMismatch(target, gaussian, logPrior.map(Math.exp)) : 0;
}

function firstFits(
  problem: MixtureProblem,
  start: readonly Float64Array[],
  moments: readonly BlockMoments[] | undefined,
): ComponentFit[] {
  const weights = start.map((counts) => largestColumnSum(problem.atoms, counts));
  const total = weights.reduce((sum, w) => sum + w, 0);
  return start.map((counts, m) =>
    maximise(problem, { counts, moments: moments?.[m] }, weights[m] / total, undefined, false),
  );
}

/** Conformant learning on one component's counts and moments, together with the prior's rows. */
function maximise(
  problem: MixtureProblem,
  { counts, moments }: { counts: Float64Array; moments: BlockMoments | undefined },
  weight: number,
  from: ComponentFit | undefined,
  exact: boolean,
): ComponentFit {
  const { classifier, atoms, overall, totalWeight } = problem;
  const shrinkage = shrinkageOf(problem);
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
    { ...(exact ? defaultSettings : ROUGHLY), beforeStep: problem.check },
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

function logPriorOf(problem: MixtureProblem, component: Component): number {
  const { atoms, overall } = problem;
  const { logQ, logZ, logPrior, logNormaliser, gaussian } = component;
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
      for (let k = 0; k < K; k++) sum += c * (logQ[j] + atoms.scores[j * K + k] - logZ[i * K + k]);
    }
  }
  return sum;
}

/**
 * The pseudo-count of one component. A single one is the paper's method. In a mixture the paper's count, which is meant for 0/1
 * columns, is shared out among the components that were started with and among the values of a column, of which there are
 * atoms / columns on average instead of two: otherwise small components of many-valued columns are all prior, and die.
 */
function pseudocountOf({ settings, components, atoms }: MixtureProblem): number {
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
function shrinkageOf(problem: MixtureProblem): number {
  const { correlated, independent } = priorRows(problem);
  return correlated + independent;
}

/** What the prior adds to the moments of a component's block. */
function blockShrinkageOf(problem: MixtureProblem): BlockShrinkage {
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
