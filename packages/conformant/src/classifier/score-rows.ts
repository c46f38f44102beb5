import { slotOffsets } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import { addScores } from "./add-scores.ts";
import type { Classifier } from "./classifier.ts";

/**
 * Class scores of rows `start` to `end`:
 *
 *     b_k + Σ_{i known} s_ki(y_i) + Σ_{i missing} gap_ki
 *
 * Known numbers count with their true value, so a complete row gets the classifier's own scores.
 *
 * @param gaps columns × K, what a gap in each column is worth to each class
 * @param out (end − start) × K, overwritten
 */
export function scoreRows(
  { schema, intercept, weights }: Classifier,
  gaps: Float64Array,
  table: Table,
  start: number,
  end: number,
  out: Float64Array,
): void {
  const K = intercept.length;
  const slots = slotOffsets(schema);
  for (let r = 0; r < end - start; r++) out.set(intercept, r * K);
  schema.columns.forEach((column, i) => {
    addScores(out, K, column, table.columns[i], start, end, weights, slots[i], gaps, i);
  });
}

/** The same number for every gap, columns × K. */
export function sameGaps({ schema, classes }: Classifier, worth: number): Float64Array {
  return new Float64Array(schema.columns.length * classes.length).fill(worth);
}
