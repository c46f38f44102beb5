import { ClassScorer } from "../distribution/class-scores.ts";
import { requireMade } from "../errors.ts";
import { fastContext } from "../kernels/context.ts";

import { type ClassTilt, weightedColumns } from "../schema/class-tilt.ts";
import type { Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";

import type { Classifier } from "./classifier.ts";

/** The classifier's own answer for many rows, rows × K, whose columns are found by name; a row that lacks a column with weights gets NaN. */
export function classifyRows(classifier: Classifier, rows: Table): Float64Array {
  requireMade("classifier", classifier);
  return classifyIncomplete(classifier, requiredValues(classifier), encode(classifier.schema, rows));
}

/**
 * The probabilities of rows, rows × K, where every gap has a constant worth.
 *
 * @param gaps what a gap adds to the score of each class, columns × K
 */
export function classifyIncomplete(classifier: Classifier, gaps: Float64Array, table: Table): Float64Array {
  const probabilities = new Float64Array(table.rows * classifier.classes.length);
  new ClassScorer(classifier, gaps).classify(table, 0, table.rows, probabilities, fastContext);
  return probabilities;
}

/** Columns × K: no number for a gap in a column that has weights, nothing for one in another. */
export function requiredValues(classifier: Classifier): Float64Array {
  const K = classifier.classes.length;
  const gaps = constantForMissing(classifier, 0);
  for (const i of weightedColumns(classifier)) gaps.fill(Number.NaN, i * K, (i + 1) * K);
  return gaps;
}

/** The same worth of every gap, columns × K. */
export function constantForMissing({ schema, intercept }: ClassTilt, worth: number): Float64Array {
  return new Float64Array(schema.columns.length * intercept.length).fill(worth);
}
