import { requireMade } from "../errors.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import { slotOffsets } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { addScores } from "./add-scores.ts";
import type { Classifier } from "./classifier.ts";

/** Rows that are scored together, so that their scores stay in the processor's cache while the columns go by. */
const BLOCK = 256;

/** The classifier's own answer for many rows, rows × K, whose columns are found by name; a row with a gap gets NaN. */
export function classifyRows(classifier: Classifier, rows: Table): Float64Array {
  requireMade("classifier", classifier);
  const table = encode(classifier.schema, rows);
  const gaps = new Float64Array(classifier.schema.columns.length * classifier.classes.length).fill(
    Number.NaN,
  );
  return normaliseScores(scoreRows(classifier, gaps, table), classifier.classes.length);
}

/**
 * The class scores of rows, rows × K.
 *
 * @param gaps what a gap adds to the score of each class, columns × K
 */
export function scoreRows(classifier: Classifier, gaps: Float64Array, table: Table): Float64Array {
  const { schema, intercept, weights } = classifier;
  const K = intercept.length;
  const slots = slotOffsets(schema);
  const scores = startScores(table.rows, intercept);
  for (let start = 0; start < table.rows; start += BLOCK) {
    const end = Math.min(start + BLOCK, table.rows);
    const block = scores.subarray(start * K, end * K);
    schema.columns.forEach((column, i) => {
      addScores(block, K, column, table.columns[i], start, end, weights, slots[i], gaps, i);
    });
  }
  return scores;
}

/** The intercepts for every row, rows × K. */
export function startScores(rows: number, intercept: Float64Array): Float64Array {
  const scores = new Float64Array(rows * intercept.length);
  for (let r = 0; r < rows; r++) scores.set(intercept, r * intercept.length);
  return scores;
}

/** Scores to probabilities, in place. */
export function normaliseScores(scores: Float64Array, K: number): Float64Array {
  for (let at = 0; at < scores.length; at += K) softmaxInPlace(scores, at, K);
  return scores;
}
