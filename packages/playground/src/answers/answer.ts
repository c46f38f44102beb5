import {
  askNext,
  type Explanation,
  explain,
  explainInWords,
  howSure,
  type Imputation,
  impute,
  type Model,
  type Question,
  type Row,
  type Shapley,
  type Surprise,
  shapley,
  surprise,
} from "conformant";
import { rankClasses } from "./rank-classes.ts";

/** Why, and what to ask next: what the page shows a moment after the prediction. */
export interface Reasons {
  readonly explanation: Explanation;
  readonly words: string;
  /** How the way from knowing nothing to the answer is shared among what is known. */
  readonly shares: Shapley;
  readonly questions: readonly Question[];
  /** What every unknown column is likely to be. */
  readonly likely: Readonly<Record<string, Imputation>>;
}

/** How sure: where full knowledge could take the answer, and whether the row is like the training data. */
export interface Certainty {
  /** The ends of the 90 % interval of each of the likeliest classes. */
  readonly intervals: Readonly<Record<string, readonly [low: number, high: number]>>;
  readonly sameDecision: number;
  readonly surprise: Surprise;
}

/** Milliseconds to look for a smallest sufficient explanation, and to share out the way to the answer. */
const EXPLAIN_MS = 300;
/** Completions that are drawn where they cannot be enumerated; the standard error of a share is at most 1.6 %. */
export const SAMPLES = 1000;
/** Classes that get an interval, the likeliest ones. */
const INTERVALS = 8;

/** The reasons for a prediction. */
export function findReasons(model: Model, row: Row): Reasons {
  const explanation = explain(model, row, { timeLimit: EXPLAIN_MS });
  return {
    explanation,
    words: explainInWords(explanation),
    shares: shapley(model, row, { timeLimit: EXPLAIN_MS }),
    questions: askNext(model, row),
    likely: impute(model, row),
  };
}

/** How sure a prediction is. */
export function findCertainty(
  model: Model,
  row: Row,
  probabilities: Readonly<Record<string, number>>,
): Certainty {
  const likeliest = rankClasses(model.classifier.classes, probabilities)
    .slice(0, INTERVALS)
    .map(([name]) => ({ name, sure: howSure(model, row, { class: name, samples: SAMPLES }) }));
  return {
    intervals: Object.fromEntries(
      likeliest.map(({ name, sure: { interval } }) => [
        name,
        [interval[0].value, interval[1].value] as const,
      ]),
    ),
    sameDecision: likeliest[0].sure.sameDecision.value,
    surprise: surprise(model, row),
  };
}
