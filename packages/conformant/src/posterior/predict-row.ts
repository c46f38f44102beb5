import { weightedColumns } from "../classifier/add-columns.ts";
import { scoreRow } from "../classifier/score-row.ts";
import { scoresOf } from "../factors/scores-of.ts";
import { plainKernels } from "../kernels/plain/plain-kernels.ts";
import { probabilitiesInPlace, softmaxInPlace } from "../math/exponential/softmax.ts";
import type { Model } from "../model/model.ts";
import type { Table } from "../schema/data.ts";
import { isKnown } from "../schema/rows/complete-rows.ts";
import { cellsOfRow } from "../schema/rows/read-row.ts";
import { rowScores } from "./mixture-scores.ts";
import { rejectInfinite } from "./reject-infinite.ts";

/**
 * The expected prediction for one row of a table, K probabilities: the same numbers as among many rows, to the last bit,
 * without the tables that pay for many rows only.
 */
export function predictRow(model: Model, table: Table, row: number): Float64Array {
  const K = model.classifier.classes.length;
  const probabilities = new Float64Array(K);
  if (!isMixture(model) || isAnswered(model, table, row)) {
    firstComponentAnswer(model, cellsOfRow(table, row), probabilities);
    if (Number.isNaN(probabilities[0])) rejectInfinite(table, row);
    return probabilities;
  }
  const shares = new Float64Array(model.components.length * K);
  rowScores(model, table, row, shares);
  plainKernels.exponentials(shares, 1, shares.length);
  if (!sumShares(shares, 0, shares.length / K, K, probabilities, 0)) rejectInfinite(table, row);
  return probabilities;
}

/**
 * P(k | y) = Σ_m P(m, k | y), written from `to` on, from M·K numbers in proportion to P(m, k | y). Returns false where there are no such
 * probabilities: every component is impossible, or a score is no number.
 */
export function sumShares(
  shares: Float64Array,
  start: number,
  M: number,
  K: number,
  out: Float64Array,
  to: number,
): boolean {
  let total = 0;
  for (let k = 0; k < K; k++) {
    // Two sums that need not wait for each other.
    let [even, odd] = [0, 0];
    let m = 0;
    for (let at = start + k; m + 1 < M; m += 2, at += 2 * K) {
      even += shares[at];
      odd += shares[at + K];
    }
    if (m < M) even += shares[start + m * K + k];
    out[to + k] = even + odd;
    total += even + odd;
  }
  for (let k = 0; k < K; k++) out[to + k] /= total;
  return Number.isFinite(total);
}

/** Whether a row has all columns that matter to the classifier: the answer is its own, to the last bit, as every component says the same. */
function isAnswered({ classifier }: Model, table: Table, row: number): boolean {
  return isKnown(table, row, weightedColumns(classifier));
}

/** Whether a gap is worth more than a constant per class: there are several components, or columns that depend on each other. */
export function isMixture(model: Model): boolean {
  return model.components.length > 1 || scoresOf(model).some(({ independent }) => !independent);
}

/** P(k | y) under the first component, K numbers; NaN where there are no such probabilities. */
export function firstComponentAnswer(
  { classifier, components }: Model,
  cells: Float64Array,
  out: Float64Array,
): void {
  scoreRow(classifier, components[0].logZ, cells, out);
  probabilitiesInPlace(out);
}

/** P(m, k | y): M × K. */
export function posteriorOfRow(model: Model, table: Table, row: number): Float64Array {
  const scores = new Float64Array(model.components.length * model.classifier.classes.length);
  if (isMixture(model)) rowScores(model, table, row, scores);
  else scoreRow(model.classifier, model.components[0].logZ, cellsOfRow(table, row), scores);
  if (!Number.isFinite(softmaxInPlace(scores))) rejectInfinite(table, row);
  return scores;
}
