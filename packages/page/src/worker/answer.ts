import {
  askNext,
  type Calibration,
  ConformantError,
  type Estimate,
  type Explanation,
  explain,
  howSure,
  type Imputation,
  impute,
  type Model,
  type PredictionSet,
  predictionSet,
  type Question,
  type Row,
  type Sensitivity,
  type Shapley,
  type Surprise,
  sensitivity,
  shapley,
  surprise,
  type WatchOptions,
} from "conformant";
import { rankClasses } from "../frame/rank-classes.ts";

/** Why, and what to ask next: what the page shows a moment after the prediction. */
export interface Reasons {
  readonly explanation: Explanation;
  /** How the way from knowing nothing to the answer is shared among what is known. */
  readonly shares: Shapley;
  readonly questions: readonly Question[];
  /** What every unknown column is likely to be. */
  readonly likely: Readonly<Record<string, Imputation>>;
}

/** How sure: where full knowledge could take the answer, what can be ruled out, and whether the row is like the training data. */
export interface Certainty {
  /** The ends of the 90 % interval of each of the likeliest classes. */
  readonly intervals: Readonly<Record<string, readonly [low: Estimate, high: Estimate]>>;
  readonly sameDecision: Estimate;
  readonly surprise: Surprise;
  /** How far from random gaps must be for another decision; undefined where that takes too long to find. */
  readonly sensitivity: Sensitivity | undefined;
  /** Where there are calibration rows. */
  readonly set: PredictionSet | undefined;
}

/** Seconds to search for a smallest sufficient explanation, and to compute Shapley values. */
export const EXPLAIN_SECONDS = 0.3;
/** Milliseconds to look a question further, and for how far from random gaps may be; what takes longer is done without. */
const [AHEAD_MS, SENSITIVITY_MS] = [300, 500];
/** Completions that are drawn where they cannot be enumerated; the standard error of a share is at most 1.6 %. */
export const SAMPLES = 1000;
/** Classes that get an interval, the likeliest ones. */
const INTERVALS = 8;

/** The reasons for a prediction. */
export function findReasons(model: Model, row: Row): Reasons {
  return {
    explanation: explain(model, row, { timeLimit: EXPLAIN_SECONDS }),
    shares: shapley(model, row, { timeLimit: EXPLAIN_SECONDS }),
    questions:
      within(AHEAD_MS, (watch) => askNext(model, row, { lookAhead: true, ...watch })) ?? askNext(model, row),
    likely: impute(model, row),
  };
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
  probabilities: Readonly<Record<string, number>>,
  calibrated?: Calibrated,
): Certainty {
  const likeliest = rankClasses(model.response.outputs, probabilities)
    .slice(0, INTERVALS)
    .map(([name]) => ({ name, sure: howSure(model, row, { class: name, samples: SAMPLES }) }));
  return {
    intervals: Object.fromEntries(likeliest.map(({ name, sure: { interval } }) => [name, interval])),
    sameDecision: likeliest[0].sure.sameDecision,
    surprise: surprise(model, row),
    sensitivity: within(SENSITIVITY_MS, (watch) => sensitivity(model, row, watch)),
    set: calibrated && predictionSet(model, calibrated.calibration, row, { coverage: calibrated.coverage }),
  };
}

/** What work answers that ends within so many milliseconds, undefined where it takes longer. */
function within<T>(milliseconds: number, work: (watch: WatchOptions) => T): T | undefined {
  const end = performance.now() + milliseconds;
  const signal = { aborted: false };
  try {
    return work({
      signal,
      onProgress: () => {
        signal.aborted = performance.now() > end;
      },
    });
  } catch (thrown) {
    if (signal.aborted && thrown instanceof ConformantError && thrown.code === "aborted") return undefined;
    throw thrown;
  }
}
