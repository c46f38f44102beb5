import { decide } from "conformant/internal";
import { calibrationError, reliability } from "../verdict/reliability.ts";

/** What is measured of predictions, by the names in results. */
export const METRICS = [
  "accuracy",
  "weightedF1",
  "logLoss",
  "crossEntropy",
  "brier",
  "calibrationError",
] as const;
export type Metric = (typeof METRICS)[number];
export type Scores = Readonly<Record<Metric, number>>;

/**
 * Judges predictions by the labels and by what the full row would have been answered.
 *
 * @param probabilities rows × K
 * @param labels the class of each row
 * @param full rows × K, the predictions before anything was hidden
 */
export function score(
  probabilities: Float64Array,
  labels: ArrayLike<number>,
  full: Float64Array,
  K: number,
): Scores {
  const rows = labels.length;
  const confusion = new Float64Array(K * K); // label × prediction
  let [right, loss, entropy, squares] = [0, 0, 0, 0];
  for (let r = 0; r < rows; r++) {
    const predicted = decide(probabilities.subarray(r * K, (r + 1) * K)).class;
    confusion[labels[r] * K + predicted]++;
    if (predicted === labels[r]) right++;
    loss -= Math.log(probabilities[r * K + labels[r]]);
    entropy += rowCrossEntropy(full, probabilities, r * K, K);
    for (let k = 0; k < K; k++) squares += (probabilities[r * K + k] - (k === labels[r] ? 1 : 0)) ** 2;
  }
  return {
    accuracy: right / rows,
    weightedF1: weightedF1(confusion, K),
    logLoss: loss / rows,
    crossEntropy: entropy / rows,
    brier: squares / rows,
    calibrationError: calibrationError(reliability(probabilities, labels, K)),
  };
}

/** −Σ_k p_k log q_k, with 0·log 0 = 0. */
function rowCrossEntropy(p: Float64Array, q: Float64Array, start: number, K: number): number {
  let sum = 0;
  for (let k = start; k < start + K; k++) if (p[k] > 0) sum -= p[k] * Math.log(q[k]);
  return sum;
}

/** The F1 of each class, weighted by its rows; a class that is neither there nor predicted counts nothing. */
function weightedF1(confusion: Float64Array, K: number): number {
  let [sum, rows] = [0, 0];
  for (let k = 0; k < K; k++) {
    let [ofClass, predicted] = [0, 0];
    for (let j = 0; j < K; j++) {
      ofClass += confusion[k * K + j];
      predicted += confusion[j * K + k];
    }
    rows += ofClass;
    if (ofClass + predicted > 0) sum += (ofClass * 2 * confusion[k * K + k]) / (ofClass + predicted);
  }
  return sum / rows;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of the mean over the repeats: s / √n, and NaN for a single one, which says nothing about others. */
export function standardError(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN;
  const middle = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
  return Math.sqrt(variance / values.length);
}
