import type { Classifier } from "../additive/classifier.ts";
import { requireFunction, requireMade } from "../errors.ts";
import { exponential } from "../math/exponential.ts";
import { type Column, isDiscrete, type NumericColumn, slotOffsets, valueCount } from "../schema/column.ts";
import type { EncodedColumn, Table } from "../schema/data.ts";
import type { RemoteTraining } from "./train-remote.ts";

/** Rows whose scores are computed together: they stay in the cache until they are added up. */
const ROWS_TOGETHER = 1024;

/** Some rows that are gone through together. */
interface Batch {
  /** The cells of its rows by column, the label last. */
  readonly columns: readonly EncodedColumn[];
  /** Numbers per row: one per class, but of two classes one. */
  readonly outputs: number;
  /** Rows × outputs: the scores, then the residuals that become of them. */
  readonly numbers: Float64Array;
}

/**
 * The sums of a pass of {@link trainRemote} over one table of complete rows, the label last; those of several tables add up.
 *
 * @param scaling mean and standard deviation of the numeric columns over all rows
 */
export function lossSums(
  classifier: Classifier,
  table: Table,
  scaling: RemoteTraining["scaling"],
): { readonly value: number; readonly residuals: Float64Array; readonly bySlot: Float64Array } {
  requireMade("classifier", classifier);
  requireMade("table", table);
  requireFunction("scaling.get", (scaling as unknown as Partial<typeof scaling> | null)?.get);
  const K = classifier.classes.length;
  const outputs = K === 2 ? 1 : K;
  const starts = slotOffsets(classifier.schema);
  const residuals = new Float64Array(outputs);
  const bySlot = new Float64Array(starts[starts.length - 1] * outputs);
  const numbers = new Float64Array(ROWS_TOGETHER * outputs);
  const terms = Array.from({ length: outputs }, (_, k) => termsOf(classifier, starts, outputs, k));
  let value = 0;
  for (let from = 0; from < table.rows; from += ROWS_TOGETHER) {
    const to = Math.min(from + ROWS_TOGETHER, table.rows);
    const batch: Batch = {
      columns: table.columns.map((cells) => cells.subarray(from, to)),
      outputs,
      numbers: numbers.subarray(0, (to - from) * outputs),
    };
    terms.forEach((own, k) => {
      writeScores(own, batch, k);
    });
    const labels = batch.columns[batch.columns.length - 1];
    value += outputs === 1 ? binary(batch.numbers, labels) : multinomial(batch.numbers, labels, K);
    for (let k = 0; k < outputs; k++) residuals[k] = addAll(residuals[k], batch, k);
    addBySlot(classifier, batch, scaling, bySlot);
  }
  return { value, residuals, bySlot };
}

/** What an output's score is made of: a constant, and for each column a weight or one for each of its values. */
interface Terms {
  readonly constant: number;
  readonly weights: readonly (number | Float64Array)[];
}

/** The terms of an output; of two classes those of the second one over the first. */
function termsOf(
  { classes, intercept, weights, schema }: Classifier,
  starts: Int32Array,
  outputs: number,
  k: number,
): Terms {
  const K = classes.length;
  const own = K - outputs + k;
  const over = (list: ArrayLike<number>, slot: number): number =>
    outputs === 1 ? list[slot * K + 1] - list[slot * K] : list[slot * K + own];
  return {
    constant: over(intercept, 0),
    weights: schema.columns.map((column, i) =>
      isDiscrete(column)
        ? Float64Array.from(slotsOfValues(column), (s) => (s < 0 ? 0 : over(weights, starts[i] + s)))
        : over(weights, starts[i]),
    ),
  };
}

/** Scores of each row for output k. */
function writeScores({ constant, weights }: Terms, batch: Batch, k: number): void {
  const { columns, numbers, outputs } = batch;
  for (let at = k; at < numbers.length; at += outputs) numbers[at] = constant;
  weights.forEach((weight, i) => {
    if (typeof weight === "number") addMultiples(columns[i], weight, batch, k);
    else addPicked(columns[i], weight, batch, k);
  });
}

/** The slot that each value of a discrete column sets, counted from the column's first; −1 for the 0 of a 0/1 column. */
function slotsOfValues(column: Exclude<Column, NumericColumn>): number[] {
  return Array.from({ length: valueCount(column) }, (_, v) => (column.kind === "binary" ? v - 1 : v));
}

// Numbers and codes have loops of their own: each then sees arrays of few types, which engines make fast.

function addMultiples(cells: EncodedColumn, weight: number, { numbers, outputs }: Batch, k: number): void {
  for (let r = 0; r < cells.length; r++) numbers[r * outputs + k] += weight * cells[r];
}

function addPicked(codes: EncodedColumn, list: Float64Array, { numbers, outputs }: Batch, k: number): void {
  for (let r = 0; r < codes.length; r++) numbers[r * outputs + k] += list[codes[r]];
}

/** A logarithm is taken of the product of many rows' sums, each between 1 and the number of classes, before the product overflows. */
const LARGE = 1e200;

/** Σ −log P(label); turns scores into P(second) − [label is the second]. */
function binary(scores: Float64Array, labels: ArrayLike<number>): number {
  let [value, product] = [0, 1];
  for (let r = 0; r < labels.length; r++) {
    const z = scores[r];
    const small = exponential(-Math.abs(z));
    value += Math.max(z, 0) - labels[r] * z;
    if (product > LARGE) [value, product] = [value + Math.log(product), 1];
    product *= 1 + small;
    scores[r] = (z >= 0 ? 1 : small) / (1 + small) - labels[r];
  }
  return value + Math.log(product);
}

/** The same for K classes. */
function multinomial(scores: Float64Array, labels: ArrayLike<number>, K: number): number {
  let [value, product] = [0, 1];
  for (let r = 0; r < labels.length; r++) {
    const start = r * K;
    let largest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < K; k++) largest = Math.max(largest, scores[start + k]);
    value += largest - scores[start + labels[r]];
    let sum = 0;
    for (let k = 0; k < K; k++) {
      scores[start + k] = exponential(scores[start + k] - largest);
      sum += scores[start + k];
    }
    if (product > LARGE) [value, product] = [value + Math.log(product), 1];
    product *= sum;
    for (let k = 0; k < K; k++) scores[start + k] /= sum;
    scores[start + labels[r]] -= 1;
  }
  return value + Math.log(product);
}

/** Adds each row's residuals times its slots, slots × outputs. */
function addBySlot(
  { schema }: Classifier,
  batch: Batch,
  scaling: RemoteTraining["scaling"],
  bySlot: Float64Array,
): void {
  const { columns, outputs } = batch;
  const starts = slotOffsets(schema);
  schema.columns.forEach((column, i) => {
    const slot = starts[i];
    for (let k = 0; k < outputs; k++) {
      if (!isDiscrete(column)) {
        const { mean, scale } = scaling.get(column.name) ?? { mean: 0, scale: 1 };
        bySlot[slot * outputs + k] += sumOfProducts(columns[i], mean, batch, k) / scale;
        continue;
      }
      const ofValues = sumsByValue(columns[i], valueCount(column), batch, k);
      slotsOfValues(column).forEach((s, v) => {
        if (s >= 0) bySlot[(slot + s) * outputs + k] += ofValues[v];
      });
    }
  });
}

/** A sum and all residuals of output k. */
function addAll(sum: number, { numbers, outputs }: Batch, k: number): number {
  let total = sum;
  for (let at = k; at < numbers.length; at += outputs) total += numbers[at];
  return total;
}

/** Σ residual · (x − mean) of output k. */
function sumOfProducts(cells: EncodedColumn, mean: number, { numbers, outputs }: Batch, k: number): number {
  let sum = 0;
  for (let r = 0; r < cells.length; r++) sum += numbers[r * outputs + k] * (cells[r] - mean);
  return sum;
}

/** Σ residual of output k over the rows of each value. */
function sumsByValue(
  codes: EncodedColumn,
  values: number,
  { numbers, outputs }: Batch,
  k: number,
): Float64Array {
  const sums = new Float64Array(values);
  for (let r = 0; r < codes.length; r++) sums[codes[r]] += numbers[r * outputs + k];
  return sums;
}
