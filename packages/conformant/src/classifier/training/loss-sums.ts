import { requireFunction, requireMade } from "../../errors.ts";
import { exponential } from "../../math/exponential/exponential.ts";
import { type Column, isDiscrete, type NumericColumn, slotOffsets, valueCount } from "../../schema/column.ts";
import type { EncodedColumn, Table } from "../../schema/data.ts";
import type { Classifier } from "../classifier.ts";
import type { RemoteTraining } from "./train-remote.ts";

/** Rows whose scores are computed together: they stay in the cache until they are added up. */
const BLOCK_ROWS = 1024;

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
  const scores = new Float64Array(BLOCK_ROWS * outputs);
  const terms = Array.from({ length: outputs }, (_, k) => termsOf(classifier, starts, outputs, k));
  let value = 0;
  for (let from = 0; from < table.rows; from += BLOCK_ROWS) {
    const to = Math.min(from + BLOCK_ROWS, table.rows);
    terms.forEach((own, k) => {
      addScores(own, table, from, to, scores, outputs, k);
    });
    const labels = table.columns[table.columns.length - 1];
    value += outputs === 1 ? binary(scores, labels, from, to) : multinomial(scores, labels, K, from, to);
    for (let k = 0; k < outputs; k++) residuals[k] = addAll(residuals[k], scores, to - from, outputs, k);
    addBySlot(classifier, table, starts, outputs, from, to, scores, scaling, bySlot);
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

/** Scores of each row for an output. */
function addScores(
  { constant, weights }: Terms,
  { columns }: Table,
  from: number,
  to: number,
  scores: Float64Array,
  outputs: number,
  k: number,
): void {
  for (let r = 0; r < to - from; r++) scores[r * outputs + k] = constant;
  weights.forEach((weight, i) => {
    if (typeof weight === "number") addMultiples(columns[i], weight, from, to, scores, outputs, k);
    else addPicked(columns[i], weight, from, to, scores, outputs, k);
  });
}

/** The slot that each value of a discrete column sets, counted from the column's first; −1 for the 0 of a 0/1 column. */
function slotsOfValues(column: Exclude<Column, NumericColumn>): number[] {
  return Array.from({ length: valueCount(column) }, (_, v) => (column.kind === "binary" ? v - 1 : v));
}

// Numbers and codes have loops of their own: each then sees arrays of few types, which engines make fast.

function addMultiples(
  cells: EncodedColumn,
  weight: number,
  from: number,
  to: number,
  scores: Float64Array,
  outputs: number,
  k: number,
): void {
  for (let r = from; r < to; r++) scores[(r - from) * outputs + k] += weight * cells[r];
}

function addPicked(
  codes: EncodedColumn,
  list: Float64Array,
  from: number,
  to: number,
  scores: Float64Array,
  outputs: number,
  k: number,
): void {
  for (let r = from; r < to; r++) scores[(r - from) * outputs + k] += list[codes[r]];
}

/** A logarithm is taken of the product of many rows' sums, each between 1 and the number of classes, before the product overflows. */
const LARGE = 1e200;

/** Σ −log P(label); turns scores into P(second) − [label is the second]. */
function binary(scores: Float64Array, labels: ArrayLike<number>, from: number, to: number): number {
  let [value, product] = [0, 1];
  for (let r = from; r < to; r++) {
    const z = scores[r - from];
    const small = exponential(-Math.abs(z));
    value += Math.max(z, 0) - labels[r] * z;
    if (product > LARGE) [value, product] = [value + Math.log(product), 1];
    product *= 1 + small;
    scores[r - from] = (z >= 0 ? 1 : small) / (1 + small) - labels[r];
  }
  return value + Math.log(product);
}

/** The same for K classes. */
function multinomial(
  scores: Float64Array,
  labels: ArrayLike<number>,
  K: number,
  from: number,
  to: number,
): number {
  let [value, product] = [0, 1];
  for (let r = from; r < to; r++) {
    const start = (r - from) * K;
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

/** Adds each row's residuals times its slots. */
function addBySlot(
  { schema }: Classifier,
  { columns }: Table,
  starts: Int32Array,
  outputs: number,
  from: number,
  to: number,
  residuals: Float64Array,
  scaling: RemoteTraining["scaling"],
  bySlot: Float64Array,
): void {
  schema.columns.forEach((column, i) => {
    const slot = starts[i];
    for (let k = 0; k < outputs; k++) {
      if (!isDiscrete(column)) {
        const { mean, scale } = scaling.get(column.name) ?? { mean: 0, scale: 1 };
        const sum = sumOfProducts(columns[i], mean, from, to, residuals, outputs, k);
        bySlot[slot * outputs + k] += sum / scale;
        continue;
      }
      const ofValues = new Float64Array(valueCount(column));
      addByValue(columns[i], from, to, residuals, outputs, k, ofValues);
      slotsOfValues(column).forEach((s, v) => {
        if (s >= 0) bySlot[(slot + s) * outputs + k] += ofValues[v];
      });
    }
  });
}

/** A sum and all residuals of an output. */
function addAll(sum: number, residuals: Float64Array, rows: number, outputs: number, k: number): number {
  let total = sum;
  for (let r = 0; r < rows; r++) total += residuals[r * outputs + k];
  return total;
}

/** Σ residual · (x − mean). */
function sumOfProducts(
  cells: EncodedColumn,
  mean: number,
  from: number,
  to: number,
  residuals: Float64Array,
  outputs: number,
  k: number,
): number {
  let sum = 0;
  for (let r = from; r < to; r++) sum += residuals[(r - from) * outputs + k] * (cells[r] - mean);
  return sum;
}

function addByValue(
  codes: EncodedColumn,
  from: number,
  to: number,
  residuals: Float64Array,
  outputs: number,
  k: number,
  sums: Float64Array,
): void {
  for (let r = from; r < to; r++) sums[codes[r]] += residuals[(r - from) * outputs + k];
}
