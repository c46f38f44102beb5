import { countMarginals } from "../../marginals/count-marginals.ts";
import { createAtoms, LONE_ATOM } from "../../model/atoms.ts";
import { GIVEN } from "../../model/certificate.ts";
import { joinParts, type ModelParts } from "../../model/factor-parts.ts";
import type { Model } from "../../model/model.ts";
import { pickRows } from "../../schema/rows/pick-rows.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";
import { checkThreads, type ThreadOptions, type Threads, thisThread } from "../../threads/threads.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { reduce } from "../naive/problem.ts";
import { tiltAtoms } from "../naive/tilts.ts";
import { cutRows, splitRows } from "./atom-rows.ts";
import { seedsFrom } from "./earlier-seeds.ts";
import { type EmResult, em } from "./em/em.ts";
import { EmProgress } from "./em/em-progress.ts";
import { expectInParts, maximiserOf, type RowsInParts } from "./em/steps-in-parts.ts";
import { factorsInFit, framesIn, framesOf } from "./factors-in-fit.ts";
import { type FitTask, type MixtureProblem, type Shape, stepCost } from "./mixture-problem.ts";
import { type Seeds, seedComponents } from "./seeding.ts";

/** What EM arrived at, and what was asked of it. */
export interface FittedRows {
  readonly best: EmResult;
  readonly problem: MixtureProblem;
}

/** A fit, and the rows that it was fitted to. */
export interface EarlierFit extends FittedRows {
  readonly rows: WeightedRows;
}

/**
 * A mixture fitted to some rows of a table: the best of several starts.
 *
 * @param options who is told how far the fit has come
 * @param from a fit of the same shape to some of the rows, to go on from instead
 */
export function fitRows(
  task: FitTask,
  shape: Shape,
  options: WatchOptions & ThreadOptions = {},
  from?: EarlierFit,
): FittedRows {
  const [watch, threads] = [new Watch(options, "fitting"), checkThreads(options)];
  const posed = poseMixture(task, shape);
  if (!from) return fitPosed(posed, task.data, watch, threads);
  const gainedBefore = lastObjective(from.best) - from.best.objective[0];
  const problem = { ...posed, check: watch.check, gainedBefore };
  const seeds = seedsFrom(uncertifiedModel(from), from.rows, posed.atoms, posed);
  return { best: emOnRows(problem, seeds, rowsOf(problem, task.data, threads), watch, threads), problem };
}

/** The best of several starts. */
function fitPosed(
  posed: MixtureProblem,
  data: WeightedRows,
  watch: Watch,
  threads: Threads = thisThread,
): FittedRows {
  const problem = { ...posed, check: watch.check };
  const { atoms, components, settings } = problem;
  const rows = rowsOf(problem, data, threads);
  const start = (again: number): EmResult => {
    const part = watch.part(again / settings.restarts, (again + 1) / settings.restarts);
    const seeds = seedComponents(data, atoms, components, settings.seed + again, problem);
    return emOnRows(problem, seeds, rows, new Watch(part, "fitting"), threads);
  };
  let best = start(0);
  for (let again = 1; again < settings.restarts; again++) {
    const other = start(again);
    if (lastObjective(other) > lastObjective(best)) best = other;
  }
  return { best, problem };
}

/** EM steps of a mixture that is only to be compared with others, where one costs more than this: the first gain nearly all. */
const [STEPS_TO_COMPARE, ROUGH_FROM] = [15, 125_000];

/** A mixture to be compared with others of its kind: the same as {@link fitRows} makes, but for exact steps where they are costly. */
export function fitToCompare(task: FitTask, shape: Shape, options: WatchOptions): FittedRows {
  const watch = new Watch(options, "fitting");
  const { data, settings } = task;
  const posed = poseMixture(task, shape);
  if (stepCost(posed) <= ROUGH_FROM) return fitPosed(posed, data, watch);
  const maxSteps = Math.min(settings.maxSteps, STEPS_TO_COMPARE);
  return fitPosed({ ...posed, settings: { ...settings, maxSteps, restarts: 1 }, rough: true }, data, watch);
}

/** A fit as a model to ask; nothing is certified. */
export function uncertifiedModel({ problem, best }: FittedRows): Model {
  const { classifier, atoms, totalWeight, settings } = problem;
  return {
    classifier,
    atoms,
    ...otherParts(problem),
    components: best.components,
    rows: totalWeight,
    pseudocount: settings.pseudocount,
    certificate: GIVEN,
  };
}

/** What a model keeps of the factors beside the atoms. */
export function otherParts(problem: MixtureProblem): ModelParts {
  return joinParts(factorsInFit(problem).map(({ ofModel }) => ofModel));
}

/** Counts the marginals of the rows, and what factors beside the atoms need to know of their columns. */
function poseMixture({ classifier, data, settings }: FitTask, shape: Shape): MixtureProblem {
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
    ...tiltAtoms(createAtoms(classifier, own), classifier.classes.length),
    overall: Float64Array.from(overall),
  };
}

/** The rows to fit to, where all threads see them. */
function rowsOf(problem: MixtureProblem, data: WeightedRows, threads: Threads): RowsInParts {
  const { atoms, classifier } = problem;
  const parts = cutRows(splitRows(data, atoms, classifier.intercept, framesIn(problem)));
  return { atoms, intercept: classifier.intercept, parts: parts.length > 1 ? threads.share(parts) : parts };
}

function emOnRows(
  problem: MixtureProblem,
  seeds: Seeds,
  rows: RowsInParts,
  watch: Watch,
  threads: Threads,
): EmResult {
  const steps = em(problem, seeds, maximiserOf(problem, threads));
  const gains = new EmProgress(problem.settings);
  let next = steps.next();
  while (!next.done) {
    const step = expectInParts(rows, next.value, threads);
    watch.step(gains.shareAfter(step.logLikelihood));
    next = steps.next(step);
  }
  return next.value;
}

function lastObjective({ objective }: EmResult): number {
  return objective[objective.length - 1];
}
