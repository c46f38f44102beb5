import { short } from "../source/format-number.ts";
import { TELLING } from "./classification-verdict.ts";
import type { RegressionVerdict } from "./model-verdict.ts";
import { leaksText, rowsText } from "./rows-text.ts";
import { meanWithError } from "./standard-error.ts";

/** Predicted numbers of rows that the model was not fitted on. */
export interface ScoredNumbers {
  readonly answers: Float64Array;
  /** The true number of each row. */
  readonly labels: Float64Array;
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
export function numberScores(answers: Float64Array, labels: ArrayLike<number>): NumberScores {
  const squares = answers.map((answer, r) => (answer - labels[r]) ** 2);
  const { mean, standardError } = meanWithError(squares);
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
  folds,
  imported,
  leaks = [],
  label,
}: ScoredNumbers): RegressionVerdict {
  const scores = numberScores(answers, labels);
  const { mean } = meanWithError(labels);
  const gain = meanWithError(answers.map((answer, r) => (answer - labels[r]) ** 2 - (mean - labels[r]) ** 2));
  const baselineRmse = Math.sqrt(varianceOf(labels));
  const better = gain.mean < -TELLING * gain.standardError;
  const off = `off by about ${short(scores.rmse)} ± ${short(scores.rmseStandardError, 2)} (root mean squared error)`;
  const judged = better
    ? `It explains ${(100 * Math.max(0, scores.r2)).toFixed(0)}% of the variance of ${label}.`
    : "No better than the mean: not usable for decisions.";
  return {
    task: "regression",
    rows: labels.length,
    folds,
    ...(imported && { imported }),
    ...(leaks.length > 0 && { leaks }),
    ...scores,
    baselineRmse,
    better,
    sentence: `On ${rowsText({ folds, imported }, "regressor")}: ${off}${leaksText({ leaks, better })}; always answering the mean: ${short(baselineRmse)}. ${judged}`,
  };
}
