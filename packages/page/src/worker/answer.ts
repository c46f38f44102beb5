import {
  type AnyModel,
  askNext,
  type Calibration,
  type Estimate,
  type Explanation,
  explain,
  howSure,
  type Imputation,
  impute,
  isRegression,
  type Model,
  type NumberExplanation,
  type PredictionSet,
  predictColumns,
  predictionSet,
  type Question,
  type Row,
  type Sensitivity,
  type Surprise,
  sensitivity,
  surprise,
} from "conformant";
import { type Change, findChanges } from "./find-changes.ts";
import { sampledQuestions } from "./sampled-questions.ts";
import { within } from "./within.ts";

/** Why: the first part of an answer after the prediction. */
export interface Reasons {
  readonly explanation: Explanation;
  /** Columns that by themselves keep the prediction whatever is against it; each of them raises its probability in the list of reasons. */
  readonly sufficient: readonly string[];
  /** P(prediction) where only those and what is against it are known. */
  readonly sufficientProbability: number;
  /** The largest standard error of an answer in the list; 0 where all are exact. */
  readonly standardError: number;
}

/** Why a number is the answer. */
export interface NumberReasons {
  readonly explanation: NumberExplanation;
  /** The largest standard error of an answer in the list; 0 where all are exact. */
  readonly standardError: number;
}

/** Why a class or a number is the answer. */
export type AnyReasons = Reasons | NumberReasons;

/** A column to ask for, and what its value does to the answer. */
export interface NextQuestion extends Pick<Question, "column" | "ahead"> {
  /** Of classes, the probability that it changes the answer. */
  readonly changesDecision?: number;
  /** Of a number, the share by which it is expected to narrow the range. */
  readonly narrows?: number;
}

/** What to ask next, and what unknown columns are likely to be. */
export interface Outlook {
  readonly questions: readonly NextQuestion[];
  readonly likely: Readonly<Record<string, Imputation>>;
}

/** How sure: where full knowledge could take the answer, what can be ruled out, and whether the row is like the training data. */
export interface Certainty {
  /**
   * The 90% interval of the probability of the prediction, or of the number, once everything is known; undefined where nothing is missing
   * or it is too rough.
   */
  readonly range: readonly [low: Estimate, high: Estimate] | undefined;
  readonly surprise: Surprise;
  /** Of classes: the probability that the answer stays the same. */
  readonly sameDecision?: Estimate;
  /** Of classes, where there are calibration rows. */
  readonly set?: PredictionSet | undefined;
  /** Of a number: its standard deviation over what the unknown columns may be, and the law of the answer. */
  readonly standardDeviation?: Estimate;
  readonly curve?: AnswerCurve;
}

/** How likely answers are, at points of equal distance from `low` to `high`. */
export interface AnswerCurve {
  readonly low: number;
  readonly high: number;
  /** Of this row once everything is known; undefined where everything is. */
  readonly now: readonly number[] | undefined;
  /** Of all rows. */
  readonly all: readonly number[];
}

/** What would lead to another class; nothing for a number. */
export interface Alternatives {
  /** Other values of known columns; undefined where they take too long to find. */
  readonly changes?: readonly Change[] | undefined;
  /** How far from random missing values must be; undefined where that takes too long to find. */
  readonly sensitivity?: Sensitivity | undefined;
}

/** Seconds to search for a smallest sufficient explanation. */
const EXPLAIN_SECONDS = 0.3;
/** The standard error of sampled answers: that of tables, so that the form and a table agree. */
const TOLERANCE = 0.01;
/** Milliseconds within which an explanation is quick enough to be looked for again, for a set without contradictions and for larger steps. */
const [AGAIN_MS, QUICK_MS] = [200, 60];
/** Milliseconds to look a question further, and for how far from random missing values may be; slower computations are skipped. */
const [AHEAD_MS, SENSITIVITY_MS] = [300, 500];
/** An end of the range may be off by so much. */
export const ROUGH = 0.02;
/** A narrower range says no more than the probability. */
const NARROW = 0.01;
/** Values of a column that a question is about, roughly, and milliseconds from which on questions are estimated together. */
const [VALUES, SLOW_MS] = [16, 1500];
/** Completions that are drawn for a range, one number after the other until it is exact enough or the time is over. */
const SAMPLES = [1000, 4000, 16_000, 64_000];
/** Milliseconds for a range. */
const RANGE_MS = 600;

/** The reasons for a prediction. */
export function findReasons(model: Model, row: Row): Reasons {
  const options = { timeLimit: EXPLAIN_SECONDS, tolerance: TOLERANCE };
  const started = performance.now();
  const explanation = explain(model, row, options);
  const { support, sufficient } = explanation;
  const raising = raisingColumns(explanation).filter((column) => support.includes(column));
  // The list of reasons and the marks on it must not contradict each other: only rows that raise the probability are marked.
  const avoid = support.filter((name) => !raising.includes(name));
  const agrees = sufficient.every((column) => raising.includes(column));
  const isSlow = performance.now() - started > AGAIN_MS;
  if (!agrees && isSlow) {
    const { probability } = explanation;
    const standardError = pathError(model, row, explanation);
    return { explanation, sufficient: [], sufficientProbability: probability, standardError };
  }
  const smallest = agrees ? explanation : explain(model, row, { ...options, avoid });
  const { length } = smallest.sufficient;
  // Of several smallest sets the one with the largest steps is the easiest to understand.
  const isQuick = performance.now() - started < QUICK_MS;
  const largest =
    isQuick && length > 0 ? explain(model, row, { ...options, use: raising.slice(0, length) }) : smallest;
  const chosen = largest.sufficient.length === length ? largest : smallest;
  return {
    explanation,
    sufficient: chosen.sufficient,
    sufficientProbability: chosen.sufficientProbability,
    standardError: pathError(model, row, explanation),
  };
}

/** The largest standard error of the answers along the path of an explanation, with the precision of tables; 0 where they are exact. */
export function pathError(
  model: AnyModel,
  row: Row,
  { path }: { readonly path: readonly { readonly column: string }[] },
): number {
  const known = path.map((_, at) =>
    Object.fromEntries(path.slice(0, at).map(({ column }) => [column, row[column]])),
  );
  const { standardErrors = [] } = isRegression(model)
    ? predictColumns(model, [...known, row])
    : predictColumns(model, [...known, row]);
  return Math.max(0, ...standardErrors);
}

/** The columns whose step of the path raises the probability, the largest step first. */
function raisingColumns({ prior, path }: Explanation): string[] {
  const steps = path.map(({ column, probability }, at) => ({
    column,
    change: probability - (at === 0 ? prior : path[at - 1].probability),
  }));
  return steps
    .filter(({ change }) => change > 0)
    .sort((a, b) => b.change - a.change)
    .map(({ column }) => column);
}

/** What to ask next. */
export function findOutlook(model: Model, row: Row): Outlook {
  const isSlow = seemsSlow(model, row, SLOW_MS);
  const questions =
    (isSlow ? sampledQuestions(model, row) : undefined) ??
    within(AHEAD_MS, (watch) => askNext(model, row, { lookAhead: true, ...watch })) ??
    within(AHEAD_MS, (watch) => askNext(model, row, watch)) ??
    sampledQuestions(model, row);
  return { questions, likely: impute(model, row) };
}

/** How many times as long a sampled answer takes where it has to be more exact. */
const EXACTER = 10;

/** Whether one prediction takes so long that those for all values of all unknown columns would take longer than a limit. */
function seemsSlow(model: Model, row: Row, limit: number): boolean {
  const unknown = model.schema.columns.length - Object.keys(row).length;
  const time = (): number => {
    const started = performance.now();
    const { standardErrors } = predictColumns(model, [row]);
    const isSampled = standardErrors?.some((error) => error > 0) ?? false;
    return (performance.now() - started) * unknown * VALUES * (isSampled ? EXACTER : 1);
  };
  // The first prediction after a load also prepares the model, which says nothing about the next ones: what is slow is slow twice.
  return time() > limit && time() > limit;
}

/** Calibration rows, and how often a set must hold the true class. */
export interface Calibrated {
  readonly calibration: Calibration;
  readonly coverage: number;
}

/** How sure a prediction is. */
export function findCertainty(
  model: Model,
  row: Row,
  prediction: string,
  calibrated?: Calibrated,
): Certainty {
  const started = performance.now();
  let sure = howSure(model, row, { class: prediction, samples: SAMPLES[0] });
  for (const samples of SAMPLES.slice(1)) {
    // Four times as many draws take about four times as long.
    if (isExactEnough(sure.interval) || 5 * (performance.now() - started) > RANGE_MS) break;
    sure = howSure(model, row, { class: prediction, samples });
  }
  const [low, high] = sure.interval;
  const isWorthIt = isExactEnough(sure.interval) && high.value - low.value >= NARROW;
  return {
    range: isWorthIt ? sure.interval : undefined,
    sameDecision: sure.sameDecision,
    surprise: surprise(model, row),
    set: calibrated && predictionSet(model, calibrated.calibration, row, { coverage: calibrated.coverage }),
  };
}

function isExactEnough(interval: readonly [low: Estimate, high: Estimate]): boolean {
  return interval.every(({ lower, upper }) => (upper - lower) / 2 <= ROUGH);
}

/** What would lead to another answer. */
export function findAlternatives(model: Model, row: Row, prediction: string): Alternatives {
  return {
    changes: findChanges(model, row, prediction),
    // Its steps are columns, each with many answers; sampled ones are more exact there than the one that is timed here.
    sensitivity: seemsSlow(model, row, SENSITIVITY_MS)
      ? undefined
      : within(SENSITIVITY_MS, (watch) => sensitivity(model, row, watch)),
  };
}
