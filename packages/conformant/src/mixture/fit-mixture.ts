import { reduce, tiltAtoms } from "../conform/conform-problem.ts";
import { countMarginals } from "../conform/count-marginals.ts";
import { createAtoms, LONE_ATOM } from "../distribution/atoms.ts";
import { GIVEN } from "../distribution/certificate.ts";
import {
  type Component,
  type Distribution,
  type DistributionParts,
  joinParts,
} from "../distribution/distribution.ts";
import { ConformantError, show } from "../errors.ts";
import { manyRows } from "../gaussian/many-rows.ts";
import { random, shuffle } from "../math/random.ts";
import { Watch, type WatchOptions } from "../progress.ts";
import { keepEveryColumn } from "../schema/hold-out.ts";
import { pickRows, type WeightedRows } from "../schema/rows.ts";
import { checkThreads, type ThreadOptions, thisThread } from "../threads/threads.ts";
import { type EmResult, progressOf, startEm, stepEm } from "./em.ts";
import type { StepWorkers } from "./m-step.ts";
import {
  type FitTask,
  factorsInFit,
  framesIn,
  framesOf,
  type MixtureProblem,
  type Shape,
  stepCost,
} from "./mixture-problem.ts";
import { cutRows, splitRows } from "./packed-rows.ts";
import { type Seeds, seedComponents, seedsFrom } from "./seeds.ts";
import { expectInParts, type RowsInParts } from "./steps-in-parts.ts";

/** What EM arrived at, and what was asked of it. */
export interface FittedRows {
  readonly best: EmResult;
  readonly problem: MixtureProblem;
}

/** An earlier fit, and the rows that it was fitted to. */
export interface EarlierFit {
  readonly problem: MixtureProblem;
  readonly components: readonly Component[];
  /** What its steps gained in the objective. */
  readonly gained: number;
  readonly rows: WeightedRows;
}

/** Rows times the square of the Gaussian's columns: beyond that a sample of the rows tells as much about their covariances. */
const ENOUGH_PRODUCTS = 4e9;

/** The rows that a mixture is fitted to: all, or of many with a wide Gaussian a sample that has their weight. */
function rowsToFit({ data, settings }: FitTask, { gaussianColumns }: Shape): WeightedRows {
  const most = Math.floor(ENOUGH_PRODUCTS / gaussianColumns.length ** 2);
  const rows = data.rows.filter((r) => data.weights[r] > 0);
  if (rows.length <= most) return data;
  const shuffled = shuffle(rows, random(settings.seed));
  const [kept] = keepEveryColumn(data.table, shuffled.slice(0, most), shuffled.slice(most));
  const sample = kept.slice().sort();
  const weightOf = (own: Int32Array): number => own.reduce((sum, r) => sum + data.weights[r], 0);
  const factor = weightOf(rows) / weightOf(sample);
  return { ...data, rows: sample, weights: data.weights.map((weight) => weight * factor) };
}

/**
 * A mixture fitted to some rows of a table: the best of several starts.
 *
 * @param options who is told how far the fit has come
 * @param from a fit of the same shape to some of the rows, perhaps without their indicators, to go on from instead
 */
export function fitRows(
  given: FitTask,
  shape: Shape,
  options: WatchOptions & ThreadOptions = {},
  from?: EarlierFit,
): FittedRows {
  const watch = new Watch(options, "fitting");
  const workers = {
    threads: checkThreads(options),
    check: watch.check,
    step: (share: number) => watch.step(share),
    context: manyRows,
  };
  const task = { ...given, data: rowsToFit(given, shape) };
  const exactly = poseMixture(task, shape);
  const posed = task.rough ? poseRoughly(exactly) : exactly;
  if (!from) return fitPosed(posed, task.data, workers);
  const problem = { ...posed, gainedBefore: from.gained };
  const earlier = uncertifiedModel(from.problem, from.components);
  const seeds = seedsFrom(earlier, from.rows, given.data.table, posed.atoms, posed, workers.context);
  return { best: emOnRows(problem, seeds, rowsOf(problem, task.data, workers), workers), problem };
}

/** Who works on a fit, and who is told how far it has come. */
interface FitWorkers extends StepWorkers {
  /** Called with the share that is done; it may end the work by throwing. */
  readonly step: (share: number) => void;
}

/** The best of several starts. */
function fitPosed(problem: MixtureProblem, data: WeightedRows, workers: FitWorkers): FittedRows {
  const { atoms, components, settings } = problem;
  const rows = rowsOf(problem, data, workers);
  const start = (again: number): EmResult => {
    const step = (share: number): void => workers.step((again + share) / settings.restarts);
    const seeds = seedComponents(data, atoms, components, settings.seed + again, problem);
    return emOnRows(problem, seeds, rows, { ...workers, step });
  };
  let best = start(0);
  for (let again = 1; again < settings.restarts; again++) {
    const other = start(again);
    if (lastObjective(other) > lastObjective(best)) best = other;
  }
  return { best, problem };
}

/** A mixture that is only to be compared with others ends where steps gain less than this share of all gained: the first gain nearly all. */
const COMPARED = 1e-2;
/** EM steps of such a mixture, where one costs more than this. */
const [STEPS_TO_COMPARE, ROUGH_FROM] = [15, 125_000];

/** The same problem, solved by fewer and rougher steps: close enough to compare predictions. */
function poseRoughly(posed: MixtureProblem): MixtureProblem {
  const { settings } = posed;
  const isCostly = stepCost(posed) > ROUGH_FROM;
  const compared = {
    ...settings,
    tolerance: Math.max(settings.tolerance, COMPARED),
    ...(isCostly && { maxIterations: Math.min(settings.maxIterations, STEPS_TO_COMPARE), restarts: 1 }),
  };
  return { ...posed, settings: compared, rough: true };
}

/**
 * Fits a mixture that is compared with others by its predictions.
 *
 * @param step called with the share that is done; it may end the work by throwing
 */
export function fitToCompare(
  posed: MixtureProblem,
  data: WeightedRows,
  step: (share: number) => void = () => undefined,
): FittedRows {
  const workers = { threads: thisThread, check: () => step(0), step, context: manyRows };
  return fitPosed(poseRoughly(posed), data, workers);
}

/** A fit as a model to ask; nothing is certified. */
export function uncertifiedModel(problem: MixtureProblem, components: readonly Component[]): Distribution {
  const { classifier, atoms, totalWeight, settings } = problem;
  return {
    schema: classifier.schema,
    tilt: classifier,
    atoms,
    ...otherParts(problem),
    components,
    rows: totalWeight,
    pseudocount: settings.pseudocount,
    certificate: GIVEN,
  };
}

/** What a model keeps of the factors beside the atoms. */
export function otherParts(problem: MixtureProblem): DistributionParts {
  return joinParts(factorsInFit(problem).map(({ ofModel }) => ofModel));
}

/** Counts the marginals of the rows, and what factors beside the atoms need to know of their columns. */
export function poseMixture({ classifier, data, settings }: FitTask, shape: Shape): MixtureProblem {
  const { table, rows, weights } = data;
  const { components, bins = settings.bins } = shape;
  const used = rows.filter((r) => weights[r] > 0);
  const counted = used.length === table.rows ? table : pickRows(table, used);
  const marginals = countMarginals(classifier.schema, counted, {
    // Rows that all weigh 1 are counted faster.
    ...(used.some((r) => weights[r] !== 1) && { weights: Float64Array.from(used, (r) => weights[r]) }),
    bins,
  });
  const { atoms, tilts, target } = reduce(classifier, marginals, 0);
  const totalWeight = rows.reduce((sum, r) => sum + weights[r], 0);
  const problem = { classifier, atoms, tilts, totalWeight, overall: target, components, settings };
  const frames = framesOf(classifier, data, shape);
  const elsewhere = new Set(factorsInFit(frames).flatMap((factor) => factor.columns));
  if (elsewhere.size === 0) return problem;
  const own = atoms.columns.map((column, i) => (elsewhere.has(i) ? LONE_ATOM : column));
  const overall = atoms.columns.flatMap((_, i) =>
    elsewhere.has(i) ? [1] : [...target.subarray(atoms.offsets[i], atoms.offsets[i + 1])],
  );
  return {
    ...problem,
    ...frames,
    ...tiltAtoms(createAtoms(classifier, own), classifier.intercept.length),
    overall: Float64Array.from(overall),
  };
}

/** The rows to fit to, where all threads see them. */
function rowsOf(problem: MixtureProblem, data: WeightedRows, { threads, context }: StepWorkers): RowsInParts {
  const { atoms, classifier } = problem;
  const parts = cutRows(splitRows(data, atoms, classifier.intercept, framesIn(problem), context));
  return { atoms, intercept: classifier.intercept, parts: parts.length > 1 ? threads.share(parts) : parts };
}

/** A fit as one to go on from. */
export function earlierFit(
  { problem, best: { components, objective } }: FittedRows,
  rows: WeightedRows,
): EarlierFit {
  return { problem, components, gained: objective[objective.length - 1] - objective[0], rows };
}

/** EM on rows that are in memory. */
function emOnRows(problem: MixtureProblem, seeds: Seeds, rows: RowsInParts, workers: FitWorkers): EmResult {
  let state = startEm(problem, seeds, workers);
  while (!state.result) {
    state = stepEm(state, expectInParts(rows, state.components, workers));
    workers.step(progressOf(state));
  }
  return state.result;
}

function lastObjective({ objective }: EmResult): number {
  return objective[objective.length - 1];
}

/** Throws where numbers are so large beside the classifier's weights that sums of them lost all digits: no fit came of it. */
export function checkFit({ best: { components, objective }, problem }: FittedRows): void {
  const factors = factorsInFit(problem);
  const whole = components.every(
    (component) =>
      Number.isFinite(component.logNormaliser) &&
      !component.logQ.some(Number.isNaN) &&
      factors.every((factor) => factor.isFinite(component)),
  );
  if (!whole || !objective.every(Number.isFinite)) rejectFit(problem);
}

/** Throws: no fit came of the numbers. */
export function rejectFit(problem: FittedRows["problem"]): never {
  const { columns } = problem.classifier.schema;
  const names = factorsInFit(problem).flatMap((factor) => factor.columns.map((i) => columns[i].name));
  const joint = names.length > 0;
  const message = `the numbers${joint ? ` of ${names.map(show).join(", ")}` : ""} are too large, or too far apart, for the weights of the classifier: no distribution could be fitted`;
  throw new ConformantError("invalid-value", message, {
    ...(joint && { column: names[0], hint: 'describe these columns by themselves, { numeric: "atoms" }' }),
  });
}
