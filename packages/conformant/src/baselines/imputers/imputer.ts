import type { Schema } from "../../schema/column.ts";

/** The imputation methods, as they are named in results. */
export type ImputerMethod = "min" | "max" | "mean" | "median" | "most_frequent" | "em" | "mice" | "knn";

/**
 * Fills the gaps of rows by what it learned from training data, and from nothing else: a row is filled the same way
 * alone and among others.
 *
 * Rows are filled as the classifier's weights see them, in *slots*: a numeric or 0/1 column is one slot, a categorical
 * or binned one has a 0/1 slot per value. What is filled in need not be a row that could occur: the mean of a one-hot
 * group is the share of each value, and the classifier scores it as Σ_v share_v · s_k(v).
 */
export interface Imputer {
  readonly method: ImputerMethod;
  readonly schema: Schema;
  /**
   * Replaces every NaN, the mark of a gap.
   *
   * @param rows count × slots, row-major, `rows[r * slots + slot]`; a gap is NaN in all slots of its column
   */
  fill(rows: Float64Array, count: number): void;
  /** Where a gap is always filled alike: the value of each slot. */
  readonly constants?: Float64Array;
}
