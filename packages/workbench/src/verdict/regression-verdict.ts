import { TELLING } from "./classification-verdict.ts";
import type { RegressionVerdict } from "./model-verdict.ts";
import { meanWithError } from "./standard-error.ts";
import { regressionSentence } from "./verdict-sentence.ts";

/** Predicted numbers of rows that the model was not fitted on. */
export interface ScoredNumbers {
  readonly answers: Float64Array;
  /** The true number of each row. */
  readonly labels: Float64Array;
  /** The group of each row, whose rows depend on each other. */
  readonly groups?: ArrayLike<number> | undefined;
  /** Parts of the rows, each predicted by a model of the others; 0 for rows that a finished model predicts. */
  readonly folds: number;
  /** Whether the regressor was imported and may have been trained on the rows. */
  readonly imported?: true | undefined;
  /** Columns that give the label away. */
  readonly leaks?: readonly string[] | undefined;
  /** What is predicted, as a sentence names it. */
  readonly label: string;
}

/** Errors of predicted numbers. */
export type NumberScores = Pick<RegressionVerdict, "rmse" | "rmseStandardError" | "mae" | "r2">;

/** The root mean squared error with its standard error, the mean absolute error, and the share of the variance that is explained. */
export function numberScores(
  answers: Float64Array,
  labels: ArrayLike<number>,
  groups?: ArrayLike<number>,
): NumberScores {
  const squares = answers.map((answer, r) => (answer - labels[r]) ** 2);
  const { mean, standardError } = meanWithError(squares, groups);
  const rmse = Math.sqrt(mean);
  return {
    rmse,
    // The derivative of √x is 1 / (2 √x).
    rmseStandardError: rmse > 0 ? standardError / (2 * rmse) : 0,
    mae: meanWithError(answers.map((answer, r) => Math.abs(answer - labels[r]))).mean,
    r2: 1 - mean / (varianceOf(labels) || Number.MIN_VALUE),
  };
}

function varianceOf(numbers: ArrayLike<number>): number {
  const all = Float64Array.from(numbers);
  const { mean } = meanWithError(all);
  return meanWithError(all.map((x) => (x - mean) ** 2)).mean;
}

/** Compares predicted numbers with the true ones and with always answering the mean. */
export function regressionVerdict({
  answers,
  labels,
  groups,
  folds,
  imported,
  leaks = [],
  label,
}: ScoredNumbers): RegressionVerdict {
  const scores = numberScores(answers, labels, groups);
  const { mean } = meanWithError(labels);
  const gain = meanWithError(
    answers.map((answer, r) => (answer - labels[r]) ** 2 - (mean - labels[r]) ** 2),
    groups,
  );
  const baselineRmse = Math.sqrt(varianceOf(labels));
  const better = gain.mean < -TELLING * gain.standardError;
  const found = {
    task: "regression",
    rows: labels.length,
    folds,
    ...(imported && { imported }),
    ...(leaks.length > 0 && { leaks }),
    ...scores,
    baselineRmse,
    better,
  } as const;
  return { ...found, sentence: regressionSentence(found, label) };
}
