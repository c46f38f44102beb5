import { decide } from "conformant/internal";
import { areaUnderCurve } from "./area-under-curve.ts";
import type { ClassificationVerdict } from "./model-verdict.ts";
import { BINS, reliability } from "./reliability.ts";
import { meanWithError, shareWithError } from "./standard-error.ts";
import { classificationSentence } from "./verdict-sentence.ts";

/** Standard errors by which the log loss has to be below that of the class shares. */
export const TELLING = 2;

/** Predictions for rows that the model was not fitted on. */
export interface ScoredRows {
  /** rows × K. */
  readonly answers: Float64Array;
  /** The class of each row. */
  readonly labels: ArrayLike<number>;
  readonly classes: readonly string[];
  /** The group of each row, whose rows depend on each other. */
  readonly groups?: ArrayLike<number> | undefined;
  /** Parts of the rows, each predicted by a model of the others; 0 for rows that a finished model predicts. */
  readonly folds: number;
  /** Whether the classifier was imported and may have been trained on the rows. */
  readonly imported?: true | undefined;
  /** Columns that give the label away. */
  readonly leaks?: readonly string[] | undefined;
}

/** Compares predictions with the true classes and with guessing. */
export function classificationVerdict({
  answers,
  labels,
  classes,
  groups,
  folds,
  imported,
  leaks = [],
}: ScoredRows): ClassificationVerdict {
  const [K, rows] = [classes.length, labels.length];
  const predicted = Int32Array.from(labels, (_, r) => decide(answers.subarray(r * K, (r + 1) * K)).class);
  const confusion = countConfusion(predicted, labels, K);
  const ofClass = confusion.map((row) => row.reduce((sum, n) => sum + n, 0));
  const loss = Float64Array.from({ length: rows }, (_, r) => lossOf(answers[r * K + labels[r]]));
  const ofShares = Float64Array.from({ length: rows }, (_, r) => -Math.log(ofClass[labels[r]] / rows));
  const logLoss = meanWithError(loss, groups);
  const gain = meanWithError(
    loss.map((own, r) => own - ofShares[r]),
    groups,
  );
  const accuracy = shareWithError(
    Float64Array.from(predicted, (k, r) => Number(k === labels[r])),
    groups,
  );
  const scores = {
    task: "classification",
    rows,
    folds,
    ...(imported && { imported }),
    ...(leaks.length > 0 && { leaks }),
    accuracy: accuracy.mean,
    accuracyStandardError: accuracy.standardError,
    logLoss: logLoss.mean,
    logLossStandardError: logLoss.standardError,
    baselineAccuracy: Math.max(...ofClass) / rows,
    baselineLogLoss: meanWithError(ofShares).mean,
    brier: brierScore(answers, labels, K),
    better: gain.mean < -TELLING * gain.standardError,
    confusion,
    calibration: calibrationOf(answers, labels, K),
    ...(K === 2 && { twoClasses: twoClassScores(answers, { labels, groups }, classes[1], confusion) }),
  } as const;
  return { ...scores, sentence: classificationSentence(scores) };
}

/** −log p; a probability of 0 counts as the smallest positive number, so that means stay finite. */
function lossOf(p: number): number {
  return -Math.log(Math.max(p, Number.MIN_VALUE));
}

/** Rows of each class (first index) that are predicted to be each class (second index). */
function countConfusion(predicted: Int32Array, labels: ArrayLike<number>, K: number): number[][] {
  const confusion = Array.from({ length: K }, () => new Array<number>(K).fill(0));
  predicted.forEach((k, r) => {
    confusion[labels[r]][k]++;
  });
  return confusion;
}

/** Mean over the rows of Σ_k (p_k − [label = k])². */
function brierScore(answers: Float64Array, labels: ArrayLike<number>, K: number): number {
  let sum = 0;
  for (let r = 0; r < labels.length; r++)
    for (let k = 0; k < K; k++) sum += (answers[r * K + k] - (k === labels[r] ? 1 : 0)) ** 2;
  return sum / labels.length;
}

/** The bins that hold predictions. */
function calibrationOf(
  answers: Float64Array,
  labels: ArrayLike<number>,
  K: number,
): ClassificationVerdict["calibration"] {
  const { rows, confidence, right } = reliability(answers, labels, K);
  return Array.from(rows, (n, bin) => ({
    from: bin / BINS,
    to: (bin + 1) / BINS,
    rows: n,
    confidence: confidence[bin] / n,
    accuracy: right[bin] / n,
  })).filter((bin) => bin.rows > 0);
}

/** The second class against the first. */
function twoClassScores(
  answers: Float64Array,
  { labels, groups }: Pick<ScoredRows, "labels" | "groups">,
  positive: string,
  [[, falsePositives], [falseNegatives, truePositives]]: readonly (readonly number[])[],
): NonNullable<ClassificationVerdict["twoClasses"]> {
  const [positives, predicted] = [falseNegatives + truePositives, falsePositives + truePositives];
  const scores = Float64Array.from({ length: labels.length }, (_, r) => answers[2 * r + 1]);
  const { auc, standardError } = areaUnderCurve(scores, labels, groups);
  return {
    positive,
    auc,
    aucStandardError: standardError,
    threshold: 0.5,
    recall: positives > 0 ? truePositives / positives : 0,
    precision: predicted > 0 ? truePositives / predicted : null,
  };
}
