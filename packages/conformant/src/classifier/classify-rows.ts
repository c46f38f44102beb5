import { requireMade } from "../errors.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import type { Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import type { Classifier } from "./classifier.ts";
import { sameGaps, scoreRows } from "./score-rows.ts";

/** Rows that are scored together, so that their scores stay in the processor's cache while the columns go by. */
const BLOCK = 256;

/** The classifier's own answer for many rows, rows × K, whose columns are found by name; a row with a gap gets NaN. */
export function classifyRows(classifier: Classifier, rows: Table): Float64Array {
  requireMade("classifier", classifier);
  const table = encode(classifier.schema, rows);
  return classifyWithGaps(classifier, sameGaps(classifier, Number.NaN), table);
}

/**
 * The probabilities of rows, rows × K, where every gap has a constant worth.
 *
 * @param gaps what a gap adds to the score of each class, columns × K
 */
export function classifyWithGaps(classifier: Classifier, gaps: Float64Array, table: Table): Float64Array {
  const K = classifier.classes.length;
  const scores = new Float64Array(table.rows * K);
  for (let start = 0; start < table.rows; start += BLOCK) {
    const end = Math.min(start + BLOCK, table.rows);
    scoreRows(classifier, gaps, table, start, end, scores.subarray(start * K, end * K));
  }
  return normaliseScores(scores, K);
}

/** Scores to probabilities, in place. */
export function normaliseScores(scores: Float64Array, K: number): Float64Array {
  for (let at = 0; at < scores.length; at += K) softmaxInPlace(scores, at, K);
  return scores;
}
