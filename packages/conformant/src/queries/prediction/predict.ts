import { weightedColumns } from "../../classifier/add-columns.ts";
import { ClassScorer } from "../../classifier/class-scorer.ts";
import { requireMade } from "../../errors.ts";
import { factorsOf } from "../../factors/factors-of.ts";
import { openKernels } from "../../kernels/open-kernels.ts";
import { Scratch } from "../../math/scratch.ts";
import type { Model } from "../../model/model.ts";
import { mixtureScores } from "../../posterior/mixture-scores.ts";
import { firstComponentAnswer, isMixture, predictRow, sumShares } from "../../posterior/predict-row.ts";
import { rejectInfinite } from "../../posterior/reject-infinite.ts";
import { byName } from "../../schema/by-name.ts";
import type { Data, Row, Table, UnseenValues } from "../../schema/data.ts";
import { checkNumbers, type LaidOut } from "../../schema/encode.ts";
import { rowsWithGaps } from "../../schema/rows/complete-rows.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { encodeRow, layOutFor, type QueryOptions, readRowFor } from "../terms/query-input.ts";

/** Rows that are looked at and then scored while they are in the processor's cache, without a mixture. */
const TOGETHER = 2048;

/** The probabilities of a row by itself. */
const answers = new Scratch();

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
  requireMade("model", model);
  const { classes } = model.classifier;
  if (isMixture(model)) return byName(classes, predictRow(model, encodeRow(model, row, options), 0));
  const probabilities = answers.take(classes.length);
  firstComponentAnswer(model, readRowFor(model, row, options), probabilities);
  if (Number.isNaN(probabilities[0])) rejectInfinite(encodeRow(model, row, options), 0);
  return byName(classes, probabilities);
}

/** {@link predict} for many rows at once, without an object per row. */
export function predictColumns(
  model: Model,
  data: Data,
  options: QueryOptions & WatchOptions = {},
): Predictions {
  const watch = new Watch(options, "predicting");
  const laidOut = layOutFor(model, data, options);
  return {
    classes: model.classifier.classes,
    probabilities: predictTable(model, laidOut, watch),
    unseen: laidOut.table.unseen,
  };
}

function predictTable(model: Model, { table, unchecked }: LaidOut, watch: Watch): Float64Array {
  const K = model.classifier.classes.length;
  const probabilities = new Float64Array(table.rows * K);
  const mixture = isMixture(model);
  const size = mixture ? Math.max(...factorsOf(model).map((factor) => factor.rowsTogether)) : TOGETHER;
  const fill = mixture ? fromMixture(model, table) : fromComponent(model, table);
  for (let start = 0; start < table.rows; start += size) {
    const end = Math.min(start + size, table.rows);
    watch.step(start / table.rows);
    checkNumbers(table, unchecked, start, end);
    fill(start, end, probabilities.subarray(start * K, end * K));
  }
  return probabilities;
}

/** Writes P(k | y) of rows `start` to `end`, (end − start) × K. */
type FillRows = (start: number, end: number, out: Float64Array) => void;

/** P(k | y) under the only component. */
function fromComponent({ classifier, components }: Model, table: Table): FillRows {
  const K = classifier.classes.length;
  const scorer = new ClassScorer(classifier, components[0].logZ);
  return (start, end, out) => {
    scorer.classify(table, start, end, out);
    for (let r = 0; r < end - start; r++) if (Number.isNaN(out[r * K])) rejectInfinite(table, start + r);
  };
}

/** P(k | y) = Σ_m P(m, k | y). */
function fromMixture(model: Model, table: Table): FillRows {
  const [M, K] = [model.components.length, model.classifier.classes.length];
  const work = new Scratch();
  const complete = fromComponent(model, table);
  return (start, end, out) => {
    const rows = end - start;
    const gaps = rowsWithGaps(table, start, end, weightedColumns(model.classifier));
    // The classifier's own answer where its columns are known, to the last bit: every component says the same.
    if (gaps.includes(0)) complete(start, end, out);
    if (!gaps.includes(1)) return;
    const scores = work.take(rows * M * K);
    mixtureScores(model, table, start, end, scores);
    const kernels = openKernels(scores.length);
    const shares = kernels.hold(scores);
    kernels.exponentials(shares, rows, M * K);
    for (let r = 0; r < rows; r++) {
      if (gaps[r] === 1 && !sumShares(shares, r * M * K, M, K, out, r * K)) rejectInfinite(table, start + r);
    }
  };
}
