import type { ClassificationVerdict } from "../verdict/model-verdict.ts";
import { calibrationError, type Reliability } from "../verdict/reliability.ts";

/** What is measured of predictions of any number of classes, by the names in results. */
export const METRICS = [
  "accuracy",
  "weightedF1",
  "logLoss",
  "crossEntropy",
  "brier",
  "calibrationError",
] as const;
/** What is measured besides where there are two classes: of the second class against the first. */
const TWO_CLASS_METRICS = ["auc", "recall", "precision"] as const;

export type Metric = (typeof METRICS)[number] | (typeof TWO_CLASS_METRICS)[number];
export type Scores = Readonly<Record<Metric, number>>;

/** The metrics of models with so many classes. */
export function metricsOf(classes: number): readonly Metric[] {
  return classes === 2 ? [...METRICS, ...TWO_CLASS_METRICS] : METRICS;
}

/**
 * Scores of predictions, by their verdict and by the predictions for the full rows. The precision of a class that is never predicted is
 * NaN, and so are the metrics of two classes where there are more.
 *
 * @param answers rows × K
 * @param full rows × K, the predictions before anything was masked
 */
export function score(
  { accuracy, logLoss, brier, confusion, twoClasses }: ClassificationVerdict,
  bins: Reliability,
  answers: Float64Array,
  full: Float64Array,
): Scores {
  const K = confusion.length;
  const rows = answers.length / K;
  let entropy = 0;
  for (let r = 0; r < rows; r++) entropy += rowCrossEntropy(full, answers, r * K, K);
  return {
    accuracy,
    weightedF1: weightedF1(confusion),
    logLoss,
    crossEntropy: entropy / rows,
    brier,
    calibrationError: calibrationError(bins),
    auc: twoClasses?.auc ?? Number.NaN,
    recall: twoClasses?.recall ?? Number.NaN,
    precision: twoClasses?.precision ?? Number.NaN,
  };
}

/** −Σ_k p_k log q_k, with 0·log 0 = 0. */
function rowCrossEntropy(p: Float64Array, q: Float64Array, start: number, K: number): number {
  let sum = 0;
  for (let k = start; k < start + K; k++) if (p[k] > 0) sum -= p[k] * Math.log(q[k]);
  return sum;
}

/** The F1 of each class, weighted by its rows; a class that is neither there nor predicted counts nothing. */
function weightedF1(confusion: readonly (readonly number[])[]): number {
  let [sum, rows] = [0, 0];
  for (const [k, own] of confusion.entries()) {
    const ofClass = own.reduce((all, n) => all + n, 0);
    const predicted = confusion.reduce((all, row) => all + row[k], 0);
    rows += ofClass;
    if (ofClass + predicted > 0) sum += (ofClass * 2 * own[k]) / (ofClass + predicted);
  }
  return sum / rows;
}

/** The mean of the values that are defined. */
export function mean(values: readonly number[]): number {
  const defined = values.filter((value) => !Number.isNaN(value));
  return defined.reduce((sum, value) => sum + value, 0) / defined.length;
}

/** Of the mean over the repeats: s / √n, and NaN for a single one, which says nothing about others. */
export function standardError(values: readonly number[]): number {
  const defined = values.filter((value) => !Number.isNaN(value));
  if (defined.length < 2) return Number.NaN;
  const middle = mean(defined);
  const variance = defined.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (defined.length - 1);
  return Math.sqrt(variance / defined.length);
}
