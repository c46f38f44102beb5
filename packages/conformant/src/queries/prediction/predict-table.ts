import { weightedColumns } from "../../classifier/add-columns.ts";
import { ClassScorer } from "../../classifier/class-scorer.ts";
import { useManyRows } from "../../factors/many-rows.ts";
import { scoresOf } from "../../factors/scores-of.ts";
import { openKernels } from "../../kernels/open-kernels.ts";
import { Scratch } from "../../math/scratch.ts";
import type { Model } from "../../model/model.ts";
import { mixtureScores } from "../../posterior/mixture-scores.ts";
import { isMixture, sumShares } from "../../posterior/predict-row.ts";
import { rejectInfinite } from "../../posterior/reject-infinite.ts";
import type { Table } from "../../schema/data.ts";
import { checkNumbers, type LaidOut } from "../../schema/encode.ts";
import { rowsWithGaps } from "../../schema/rows/complete-rows.ts";
import type { Watch } from "../../watch.ts";

/** Rows that are looked at and then scored while they are in the processor's cache, without a mixture. */
const TOGETHER = 2048;

/** How many rows of a model are best predicted at once. */
export function rowsTogether(model: Model): number {
  if (!isMixture(model)) return TOGETHER;
  return Math.max(...scoresOf(model).map((factor) => factor.rowsTogether));
}

/** The expected predictions of all rows, rows × K. */
export function predictTable(model: Model, laidOut: LaidOut, watch: Watch): Float64Array {
  const { rows } = laidOut.table;
  const probabilities = new Float64Array(rows * model.classifier.classes.length);
  predictSome(model, laidOut, 0, probabilities, (done) => watch.step(done / rows));
  return probabilities;
}

/**
 * Writes the expected predictions of rows from `from` on.
 *
 * @param out rows × K, of as many rows as are wanted
 * @param step told how many rows are done, now and then
 */
export function predictSome(
  model: Model,
  { table, unchecked }: LaidOut,
  from: number,
  out: Float64Array,
  step?: (done: number) => void,
): void {
  useManyRows();
  const K = model.classifier.classes.length;
  const to = from + out.length / K;
  const size = rowsTogether(model);
  const fill = isMixture(model) ? fromMixture(model, table) : fromComponent(model, table);
  for (let start = from; start < to; start += size) {
    const end = Math.min(start + size, to);
    step?.(start - from);
    checkNumbers(table, unchecked, start, end);
    fill(start, end, out.subarray((start - from) * K, (end - from) * K));
  }
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
