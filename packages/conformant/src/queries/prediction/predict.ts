import { scoreRows } from "../../classifier/score-rows.ts";
import { factorsOf } from "../../factors/factors-of.ts";
import { openKernels } from "../../kernels/open-kernels.ts";
import { Scratch } from "../../math/scratch.ts";
import { softmaxInPlace } from "../../math/softmax.ts";
import type { Model } from "../../model/model.ts";
import { mixtureScores } from "../../posterior/mixture-scores.ts";
import { isMixture, predictRow, sumShares } from "../../posterior/predict-row.ts";
import { rejectInfinite } from "../../posterior/reject-infinite.ts";
import { isComplete } from "../../schema/complete-rows.ts";
import type { Data, Row, Table, UnseenValues } from "../../schema/data.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { encodeFor, encodeRow, type QueryOptions } from "../terms/query-input.ts";

/** Rows that are scored together, so that their scores stay in the processor's cache while the columns go by; of mixtures the factors know. */
const TOGETHER = 512;

/** What the classifier is expected to answer for many rows. */
export interface Predictions {
  readonly classes: readonly string[];
  /** rows × K, `probabilities[row * K + k]`. */
  readonly probabilities: Float64Array;
  /** Where the answers are not closed forms: the standard error of each row, 0 for an exact one. */
  readonly standardErrors?: Float64Array;
  /** Categories the model does not know, which were taken for gaps. */
  readonly unseen: readonly UnseenValues[];
}

/**
 * The expected prediction (Definition 1 of the paper): what the classifier would answer on average over the missing
 * columns, given the known ones. With nothing missing it is the classifier's own answer.
 *
 * @returns class name to probability
 */
export function predict(model: Model, row: Row, options: QueryOptions = {}): Record<string, number> {
  const probabilities = predictRow(model, encodeRow(model, row, options), 0);
  return Object.fromEntries(model.classifier.classes.map((name, k) => [name, probabilities[k]]));
}

/** {@link predict} for many rows at once, without an object per row. */
export function predictColumns(
  model: Model,
  data: Data,
  options: QueryOptions & WatchOptions = {},
): Predictions {
  const watch = new Watch(options, "predicting");
  const table = encodeFor(model, data, options);
  return {
    classes: model.classifier.classes,
    probabilities: predictTable(model, table, watch),
    unseen: table.unseen,
  };
}

function predictTable(model: Model, table: Table, watch: Watch): Float64Array {
  if (table.rows === 1) return predictRow(model, table, 0);
  const K = model.classifier.classes.length;
  const probabilities = new Float64Array(table.rows * K);
  const work = new Scratch();
  const mixture = isMixture(model);
  const fill = mixture ? fromMixture : fromComponent;
  const size = mixture ? Math.max(...factorsOf(model).map((factor) => factor.rowsTogether)) : TOGETHER;
  for (let start = 0; start < table.rows; start += size) {
    const end = Math.min(start + size, table.rows);
    watch.step(start / table.rows);
    fill(model, table, start, end, probabilities.subarray(start * K, end * K), work);
  }
  return probabilities;
}

/** P(k | y) under the only component: (end − start) × K. */
function fromComponent(model: Model, table: Table, start: number, end: number, out: Float64Array): void {
  const K = model.classifier.classes.length;
  scoreRows(model.classifier, model.components[0].logZ, table, start, end, out);
  for (let r = start; r < end; r++) {
    if (!Number.isFinite(softmaxInPlace(out, (r - start) * K, K))) rejectInfinite(table, r);
  }
}

/** P(k | y) = Σ_m P(m, k | y): (end − start) × K. */
function fromMixture(
  model: Model,
  table: Table,
  start: number,
  end: number,
  out: Float64Array,
  work: Scratch,
): void {
  const [M, K, rows] = [model.components.length, model.classifier.classes.length, end - start];
  const complete = new Uint8Array(rows);
  for (let r = 0; r < rows; r++) complete[r] = isComplete(table, start + r) ? 1 : 0;
  const scores = work.take(complete.includes(0) ? rows * M * K : 0);
  if (scores.length > 0) mixtureScores(model, table, start, end, scores);
  const kernels = openKernels(scores.length);
  const shares = kernels.hold(scores);
  if (scores.length > 0) kernels.exponentials(shares, rows, M * K);
  for (let r = 0; r < rows; r++) {
    if (complete[r] === 1) out.set(predictRow(model, table, start + r), r * K);
    else if (!sumShares(shares, r * M * K, M, K, out, r * K)) rejectInfinite(table, start + r);
  }
}
