import type { Classifier } from "../../classifier/classifier.ts";
import { random } from "../../math/random.ts";
import { shuffle } from "../../math/shuffle.ts";
import type { Table } from "../../schema/data.ts";
import { keepEveryColumn } from "../../schema/keep-every-column.ts";
import { isKnown } from "../../schema/rows/complete-rows.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";
import type { TreeClassifier } from "../../trees/tree-classifier.ts";
import type { WatchOptions } from "../../watch.ts";
import { factorsInFit } from "../mixture/factors-in-fit.ts";
import { type FittedRows, fitToCompare, uncertifiedModel } from "../mixture/fit-rows.ts";
import type { FitTask, Shape } from "../mixture/mixture-problem.ts";
import type { MixtureSettings } from "../mixture/mixture-settings.ts";
import { type Answering, additiveAnswering } from "./answering.ts";
import { heldOutLikelihood, recordedLikelihood } from "./held-out.ts";
import { type MaskedRows, maskedLosses, maskRows } from "./masked-rows.ts";
import { type Resolution, resolutionsOf } from "./resolution.ts";

/** With fewer rows than this they are cut into so many folds, each held out once; with more, a quarter is held out. */
const FOLDS: readonly (readonly [rows: number, folds: number])[] = [
  [500, 5],
  [3000, 3],
];
const HELD_OUT = 0.25;
/** Cells that the choice looks at, and the rows that it takes within limits: more would not change it, only take longer. */
const [ENOUGH_CELLS, LEAST_ROWS, ENOUGH_ROWS] = [4_000_000, 3000, 12_000];
/** A row is judged under as many masks as make so many answers, within limits. */
const [ANSWERS, LEAST_MASKS, MOST_MASKS] = [1500, 3, 12];
/** With fewer complete rows than this, candidates are judged by the likelihood of the rows as they are. */
const LEAST_JUDGED = 10;

/** What candidates are judged by: the same rows and masks for all of them. It follows from the data and the seed alone. */
export interface Judge {
  readonly classifier: Classifier;
  /** What answers rows; undefined where all candidates would give the same answers. */
  readonly answering: Answering | undefined;
  readonly settings: MixtureSettings;
  readonly folds: readonly Fold[];
  /** The weight of every judged row, fold after fold; none where there are too few complete rows to judge by. */
  readonly weights: Float64Array;
  /** Masks per judged row. */
  readonly masks: number;
  /** Of numbers, where they may be described by densities. */
  readonly resolutions: readonly (Resolution | undefined)[] | undefined;
  /** The fewest rows that a fold leaves to fit. */
  readonly fittedRows: number;
}

/** Rows to fit and rows to judge by. */
interface Fold {
  readonly train: WeightedRows;
  readonly held: WeightedRows;
  readonly masked?: MaskedRows;
}

/** A mixture of some size and kind to be fitted to the rows of a fold. */
export interface Trial extends Shape {
  readonly fold: number;
}

/** What held-out rows say about a trial. */
export interface Judgement {
  /** The mean cross entropy of each judged row of the fold over its masks. */
  readonly losses: Float64Array;
  /** Σ weight · log-likelihood of the held-out rows as they are. */
  readonly logLikelihood: number;
  /** Numbers that the mixture is free to choose. */
  readonly parameters: number;
  /** The fit itself, where there is one fold: the fit to all rows may go on from it. */
  readonly fitted?: FittedRows;
}

/** What a judge is made of: data that can be handed to another thread. */
export interface JudgeTask extends FitTask {
  /** Trees that answer, where the classifier has no weights. */
  readonly trees?: TreeClassifier;
  /** Whether numbers may be described by densities. */
  readonly anyBlock: boolean;
}

/** Trials to be judged. */
export interface Trials {
  readonly trials: readonly Trial[];
  /** What may be asked for next: whoever has nothing else to do may begin with it. */
  readonly likely: readonly Trial[];
}

/**
 * Judges trials, and gives the judgements back in their order. It may do so in other threads, to which the task can be handed over:
 * each makes the same of it. It is called again with the same task for the next trials.
 *
 * @param step to be called with the number of trials that are done, which may have a fraction; it may end the work by throwing
 */
export type JudgeTrials = (
  task: JudgeTask,
  trials: Trials,
  step: (done: number) => void,
) => readonly Judgement[];

/** Splits the rows, or a sample of them, and hides cells of those to judge by. */
export function createJudge(
  { classifier, data, settings, anyBlock }: JudgeTask,
  answering = additiveAnswering(classifier),
): Judge {
  const generator = random(settings.seed);
  const { table, weights } = data;
  const sample = shuffle(
    data.rows.filter((r) => weights[r] > 0),
    generator,
  ).subarray(0, Math.min(ENOUGH_ROWS, Math.max(LEAST_ROWS, Math.floor(ENOUGH_CELLS / table.columns.length))));
  const splits = splitRows(table, sample);
  const mostRows = Math.floor((answering?.most ?? 0) / (LEAST_MASKS * splits.length));
  const judged = splits.map(([, held]) =>
    held.filter((r) => isKnown(table, r, answering?.columns ?? [])).subarray(0, mostRows),
  );
  const count = judged.reduce((sum, { length }) => sum + length, 0);
  const enough = answering !== undefined && count >= LEAST_JUDGED;
  const answers = Math.min(ANSWERS, answering?.most ?? ANSWERS);
  const masks = Math.min(MOST_MASKS, Math.max(LEAST_MASKS, Math.ceil(answers / count)));
  return {
    classifier,
    answering,
    settings,
    folds: splits.map(([train, held], f) => ({
      train: { table, rows: train, weights },
      held: { table, rows: held, weights },
      ...(enough && { masked: maskRows(answering, table, judged[f], masks, generator) }),
    })),
    weights: Float64Array.from(enough ? judged.flatMap((rows) => [...rows]) : [], (r) => weights[r]),
    masks,
    resolutions: anyBlock ? resolutionsOf({ table, rows: sample, weights }) : undefined,
    fittedRows: Math.min(...splits.map(([train]) => train.length)),
  };
}

/** Fits a trial's mixture and judges it. */
export function judgeTrial(
  { classifier, answering, settings, folds, resolutions }: Judge,
  trial: Trial,
  options: WatchOptions = {},
): Judgement {
  const { train, held, masked } = folds[trial.fold];
  const fitted = fitToCompare({ classifier, data: train, settings }, trial, options);
  const { problem, best } = fitted;
  const mean = resolutions
    ? recordedLikelihood(problem, best, held, resolutions)
    : heldOutLikelihood(problem, best, held);
  return {
    losses:
      masked && answering ? maskedLosses(uncertifiedModel(fitted), masked, answering) : new Float64Array(0),
    logLikelihood: mean * weightOf(held),
    parameters: parametersOf(fitted),
    // Without what only this thread can call.
    ...(folds.length === 1 && { fitted: { best, problem: { ...problem, check: undefined } } }),
  };
}

/** The weight of some rows. */
export function weightOf({ rows, weights }: WeightedRows): number {
  return rows.reduce((sum, r) => sum + weights[r], 0);
}

function parametersOf({ problem, best }: FittedRows): number {
  const { columns, offsets } = problem.atoms;
  const others = factorsInFit(problem).reduce((sum, { parameters }) => sum + parameters, 0);
  return best.components.length * (1 + offsets[columns.length] - columns.length + others) - 1;
}

/** Rows to fit and rows to hold out, fold by fold, of rows in random order. */
function splitRows(table: Table, rows: Int32Array): [train: Int32Array, held: Int32Array][] {
  const folds = Math.min(rows.length, FOLDS.find(([below]) => rows.length < below)?.[1] ?? 1);
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
