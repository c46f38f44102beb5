import { atomCode } from "../distribution/atoms.ts";
import { type Component, createComponent } from "../distribution/distribution.ts";
import { shapeOfGaussian } from "../gaussian/gaussian-m-step.ts";
import { manyRows } from "../gaussian/many-rows.ts";
import { random, shuffle } from "../math/random.ts";
import { countSums, readSums, writeSums } from "../math/sum-records.ts";
import type { Predictor } from "../predictors/predictor.ts";
import { isMissingCell, type Table } from "../schema/data.ts";
import { dealGroups, holdOut, keepEveryColumn } from "../schema/hold-out.ts";
import { isKnown, pickRows, type WeightedRows } from "../schema/rows.ts";
import { type PartedWork, type Threads, thisThread } from "../threads/threads.ts";
import { logShares, type Resolution, resolutionsOf } from "./candidates.ts";
import { expectation } from "./e-step.ts";
import { fitToCompare, poseMixture, uncertifiedModel } from "./fit-mixture.ts";
import { answersOf, type MaskedRows, maskedLosses, maskRows } from "./masked-rows.ts";
import {
  type Description,
  type FitTask,
  factorsInFit,
  framesAt,
  hasFactors,
  type MixtureProblem,
  stepCost,
} from "./mixture-problem.ts";
import { splitRows } from "./packed-rows.ts";

/** With fewer rows than this they are cut into so many folds, each held out once; with more, a quarter is held out. */
const FOLDS: readonly (readonly [rows: number, folds: number])[] = [
  [200, 5],
  [3000, 3],
];
const HELD_OUT = 0.25;
/** Cells that the choice looks at, and the rows that it takes within limits: more would not change it, only take longer. */
const [ENOUGH_CELLS, LEAST_ROWS, ENOUGH_ROWS] = [4_000_000, 3000, 12_000];
/** A row is scored under as many masks as make so many answers, within limits. */
const [ANSWERS, LEAST_MASKS, MOST_MASKS] = [1500, 3, 12];
/** With fewer complete rows than this, candidates are scored by the likelihood of the rows as they are. */
const LEAST_SCORED = 10;
/** Cells × components of all candidates together from which on threads, each of which takes half a second to start and get warm, are worth it. */
const WORTH_SHARING = 1 << 18;
/** What operations cost beside a multiplication: a look-up in a column, a missing value in a Gaussian column, the M-step per atom and pair of classes. */
const [LOOK_UP, MISSING, NEWTON_STEP] = [10, 6, 30];
/** What an answer costs that is the mean over drawn completions. */
const SAMPLED_ANSWER = 2e6;
/** Milliseconds that a step of a candidate's fit may take in another thread before the candidate is fitted here as well. */
const PATIENCE = 10_000;

/**
 * What candidates are compared by: the same rows and masks for all of them. It follows from the data and the seed alone, and is plain
 * data that can be handed to other threads.
 */
export interface Comparison {
  /** Whose answers candidates are scored by. */
  readonly predictor: Predictor;
  /** Whether its answer is a number. */
  readonly isNumber?: boolean;
  /** The ways to describe the columns that candidates have. */
  readonly kinds: readonly Description[];
  readonly folds: readonly Fold[];
  /** The weight of every scored row, fold after fold; none where there are too few complete rows to score by. */
  readonly weights: Float64Array;
  /** Masks per scored row. */
  readonly masks: number;
  /** Of numbers, where they may be described by densities. */
  readonly resolutions: readonly (Resolution | undefined)[] | undefined;
  /** The fewest rows that a fold leaves to fit. */
  readonly fittedRows: number;
}

/** Rows to fit and rows to score by. */
interface Fold {
  readonly train: WeightedRows;
  readonly held: WeightedRows;
  readonly masked?: MaskedRows;
  /** What is to be fitted to the rows, with one component, for each way to describe the columns. */
  readonly problems: readonly MixtureProblem[];
}

/** A mixture of some size and kind to be fitted to the rows of a fold. */
export interface Candidate {
  readonly components: number;
  /** Which of the ways to describe the columns. */
  readonly kind: number;
  readonly fold: number;
}

/** How well a candidate does on the held-out rows of its fold. Numbers and arrays of them: threads hand it over as such. */
export interface FoldScore {
  /** The mean cross entropy of each scored row of the fold over its masks. */
  readonly losses: Float64Array;
  /** Σ weight · log-likelihood of the held-out rows as they are. */
  readonly logLikelihood: number;
  /** Numbers that the mixture is free to choose. */
  readonly parameters: number;
  /** Operations that fitting and scoring took, by {@link operationsOf}: the same on every machine. */
  readonly operations: number;
  /** The fit itself, where there is one fold: the fit to all rows may go on from it. */
  readonly fit?: CandidateFit;
}

/** What a fit came to. */
interface CandidateFit {
  /** What its steps gained in the objective. */
  readonly gained: number;
  /** Components that it has. */
  readonly count: number;
  /** As many as were asked for; those beyond `count` ran empty and stand for nothing. */
  readonly components: readonly Component[];
}

/** Splits the rows, or a sample of them, and masks cells of those to score by. */
export function createComparison(
  predictor: Predictor,
  { classifier, data, settings }: FitTask,
  kinds: readonly Description[],
): Comparison {
  const generator = random(settings.seed);
  const most = Math.floor(ENOUGH_CELLS / data.table.columns.length);
  const sample = shuffle(
    data.rows.filter((r) => data.weights[r] > 0),
    generator,
  ).subarray(0, Math.min(ENOUGH_ROWS, Math.max(LEAST_ROWS, most)));
  const table = pickRows(data.table, sample);
  const weights = Float64Array.from(sample, (r) => data.weights[r]);
  const answering = answersOf(predictor);
  const splits = splitFolds(table, Int32Array.from(sample.keys()));
  // An answer under a covariance of low rank takes as long as thousands under atoms.
  const isCostly = kinds.some(({ rank }) => rank !== undefined);
  const mostAnswers = Math.min(answering?.most ?? 0, isCostly ? ANSWERS : Number.POSITIVE_INFINITY);
  const mostRows = Math.floor(mostAnswers / (LEAST_MASKS * splits.length));
  const scored = splits.map(([, held]) =>
    held.filter((r) => isKnown(table, r, answering?.columns ?? [])).subarray(0, mostRows),
  );
  const count = scored.reduce((sum, { length }) => sum + length, 0);
  const enough = answering !== undefined && count >= LEAST_SCORED;
  const answers = Math.min(ANSWERS, answering?.most ?? ANSWERS);
  const masks = Math.min(MOST_MASKS, Math.max(LEAST_MASKS, Math.ceil(answers / count)));
  return {
    predictor,
    isNumber: answering?.isNumber === true,
    kinds,
    folds: splits.map(([rows, held], f) => {
      const train = { table, rows, weights };
      return {
        train,
        held: { table, rows: held, weights },
        ...(enough && { masked: maskRows(answering, table, scored[f], masks, generator) }),
        problems: kinds.map((kind) =>
          poseMixture({ classifier, data: train, settings }, { components: 1, ...kind }),
        ),
      };
    }),
    weights: Float64Array.from(enough ? scored.flatMap((rows) => [...rows]) : [], (r) => weights[r]),
    masks,
    resolutions: kinds.some(hasFactors)
      ? resolutionsOf({ table, rows: Int32Array.from(sample.keys()), weights })
      : undefined,
    fittedRows: Math.min(...splits.map(([train]) => train.length)),
  };
}

/**
 * Fits candidates and scores them on the held-out rows of their folds, in several threads where it takes long.
 *
 * @param step called with the share that is done; it may end the work by throwing
 */
export function scoreCandidates(
  comparison: Comparison,
  candidates: readonly Candidate[],
  threads: Threads,
  step: (share: number) => void,
): FoldScore[] {
  const shapes = candidates.map((candidate) => shapeOf(comparison, candidate));
  const numbers = Math.max(...shapes.map(countSums));
  const work = candidates.reduce((sum, { fold, components }) => {
    const { rows, table } = comparison.folds[fold].train;
    return sum + rows.length * table.columns.length * components;
  }, 0);
  const parts = { lasting: comparison, given: candidates, count: candidates.length, numbers };
  const all = (work < WORTH_SHARING ? thisThread : threads).run(scoreCandidatePart, parts, step);
  return shapes.map((shape, c) => readSums(shape, all.subarray(c * numbers, (c + 1) * numbers)));
}

/** Writes the score of a candidate. */
export const scoreCandidatePart: PartedWork<Comparison, readonly Candidate[]> = {
  name: "candidate",
  patience: PATIENCE,
  doPart: (comparison, candidates, part, out, step) =>
    void writeSums(scoreCandidate(comparison, candidates[part], step), out),
};

/** Fits a candidate and scores it. */
export function scoreCandidate(
  { predictor, folds, resolutions }: Comparison,
  { components: M, kind, fold }: Candidate,
  step?: (share: number) => void,
): FoldScore {
  const { train, held, masked, problems } = folds[fold];
  const answering = answersOf(predictor);
  const fitted = fitToCompare({ ...problems[kind], components: M }, train, step);
  const { problem, best } = fitted;
  const likely = masked ? { ...held, rows: held.rows.subarray(0, likelyRows(problem)) } : held;
  const mean = resolutions
    ? recordedLikelihood(problem, best.components, likely, resolutions)
    : heldOutLikelihood(problem, best.components, likely);
  const { components, objective } = best;
  return {
    losses:
      masked && answering
        ? maskedLosses(uncertifiedModel(problem, components), masked, answering)
        : new Float64Array(0),
    logLikelihood: mean * weightOf(held),
    parameters: parametersOf(problem, components.length),
    operations: operationsOf(problem, best.steps, train, masked, answering?.sampled === true),
    ...(folds.length === 1 && {
      fit: {
        gained: objective[objective.length - 1] - objective[0],
        count: components.length,
        components: Array.from({ length: M }, (_, m) => components[m] ?? components[0]),
      },
    }),
  };
}

/** Cells × rank of the rows whose likelihood is reported where masked rows decide: it takes rank² per cell, and more would change no digit that is shown. */
const LIKELY = 5e7;

/** Held-out rows by which the likelihood of a candidate is told. */
function likelyRows({ frame }: MixtureProblem): number {
  const { rank, gaussianColumns } = frame ?? {};
  if (rank === undefined || !gaussianColumns) return Number.POSITIVE_INFINITY;
  return Math.max(LEAST_SCORED, Math.floor(LIKELY / (rank ** 2 * gaussianColumns.columns.length)));
}

/** A score of the same shape as that of a candidate will have. */
function shapeOf({ folds, masks }: Comparison, { components, kind, fold }: Candidate): FoldScore {
  const { masked, problems } = folds[fold];
  return {
    losses: new Float64Array(masked ? masked.hidden.rows / masks : 0),
    logLikelihood: 0,
    parameters: 0,
    operations: 0,
    ...(folds.length === 1 && {
      fit: {
        gained: 0,
        count: 0,
        components: new Array<Component>(components).fill(shapeOfComponent(problems[kind])),
      },
    }),
  };
}

/** Any component of a problem. */
function shapeOfComponent({ classifier, atoms, frame }: MixtureProblem): Component {
  const logQ = new Float64Array(atoms.offsets[atoms.columns.length]);
  const gaussian = frame && shapeOfGaussian(frame);
  return createComponent(classifier, atoms, { logWeight: 0, logQ, ...(gaussian && { gaussian }) });
}

/** The weight of some rows. */
export function weightOf({ rows, weights }: WeightedRows): number {
  return rows.reduce((sum, r) => sum + weights[r], 0);
}

function parametersOf(problem: MixtureProblem, components: number): number {
  const { columns, offsets } = problem.atoms;
  const others = factorsInFit(problem).reduce((sum, { parameters }) => sum + parameters, 0);
  return components * (1 + offsets[columns.length] - columns.length + others) - 1;
}

/**
 * Roughly the nanoseconds of a fit and of scoring it, counted instead of measured. Per EM step a row costs a look-up per column and component,
 * and the square of the Gaussian's columns, several times where some of them are missing; the M-step costs K² per atom, and the cube of
 * the Gaussian's columns.
 */
function operationsOf(
  problem: MixtureProblem,
  steps: number,
  { table, rows }: WeightedRows,
  masked: MaskedRows | undefined,
  sampled: boolean,
): number {
  const { atoms, frame, components } = problem;
  const gaussian = frame?.gaussianColumns.columns ?? [];
  const square = gaussian.length ** 2;
  let missing = 0;
  for (const i of gaussian) for (const r of rows) if (isMissingCell(table.columns[i], r)) missing++;
  const perRow = LOOK_UP * atoms.columns.length + square;
  // Of low rank: a missing value costs that times the columns, and the M-step some multiplications of as many vectors.
  const rank = frame?.rank;
  const perStep =
    rows.length * perRow +
    missing * (rank === undefined ? MISSING * square : rank * gaussian.length) +
    NEWTON_STEP * stepCost(problem) +
    (rank === undefined ? gaussian.length : MISSING * rank) * square;
  const answers = masked?.hidden.rows ?? 0;
  const perAnswer =
    perRow + (rank === undefined ? (MISSING * square * gaussian.length) / 2 : gaussian.length * rank ** 2);
  return components * (steps * perStep + answers * perAnswer) + (sampled ? answers * SAMPLED_ANSWER : 0);
}

/** Rows to fit and rows to hold out, fold by fold, of rows in random order. */
function splitFolds(table: Table, rows: Int32Array): [train: Int32Array, held: Int32Array][] {
  const folds = Math.min(rows.length, FOLDS.find(([below]) => rows.length < below)?.[1] ?? 1);
  const dealt = table.groups && dealGroups(table.groups, rows, folds < 2 ? 1 / HELD_OUT : folds);
  if (dealt) {
    const { part, parts } = dealt;
    return Array.from({ length: folds < 2 ? 1 : parts }, (_, f) =>
      holdOut(rows, (r) => part[r] === f, table),
    );
  }
  if (folds < 2) {
    const cut = Math.max(1, Math.round(rows.length * HELD_OUT));
    return [keepEveryColumn(table, rows.slice(cut), rows.slice(0, cut))];
  }
  return Array.from({ length: folds }, (_, f) =>
    keepEveryColumn(
      table,
      rows.filter((_, at) => at % folds !== f),
      rows.filter((_, at) => at % folds === f),
    ),
  );
}

/** Mean log-likelihood of held-out rows over their known columns, all of them described by atoms. */
export function heldOutLikelihood(
  { atoms, classifier }: MixtureProblem,
  components: readonly Component[],
  data: WeightedRows,
): number {
  const held = splitRows(data, atoms, classifier.intercept, {}, manyRows);
  return (
    expectation(atoms, classifier.intercept, components, held, manyRows).logLikelihood / held.totalWeight
  );
}

/**
 * The same on a scale on which atoms and Gaussians compare: the probability of the values as they are recorded, at the
 * column's resolution. An atom's mass is spread evenly over the values it stands for; a Gaussian counts with its mass in the
 * value's cell, given the columns before it in the Gaussian. Both are probabilities, so that neither a spike nor a column
 * with few values can be worth more than 1.
 */
export function recordedLikelihood(
  problem: MixtureProblem,
  components: readonly Component[],
  data: WeightedRows,
  resolutions: readonly (Resolution | undefined)[],
): number {
  const { atoms, classifier } = problem;
  const { table, rows, weights } = data;
  const elsewhere = new Set(factorsInFit(problem).flatMap((factor) => factor.columns));
  const recorded = framesAt(
    problem,
    resolutions.map((resolution) => resolution?.step ?? 1),
  );
  const held = splitRows(data, atoms, classifier.intercept, recorded, manyRows);
  let { logLikelihood } = expectation(atoms, classifier.intercept, components, held, manyRows);
  resolutions.forEach((resolution, i) => {
    if (!resolution || elsewhere.has(i)) return;
    const shares = logShares(atoms, i, resolution);
    for (const r of rows) {
      if (!isMissingCell(table.columns[i], r))
        logLikelihood += weights[r] * shares[atomCode(atoms, i, table.columns[i][r])];
    }
  });
  return logLikelihood / held.totalWeight;
}
