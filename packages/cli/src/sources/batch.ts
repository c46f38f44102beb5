/** One column of a batch: numbers, codes, or texts with null for NULL. */
export type BatchColumn = Float64Array | Int32Array | readonly (string | null)[];

/** Some rows of a query's result, column by column: no row is ever an object. */
export interface Batch {
  readonly rows: number;
  readonly columns: readonly BatchColumn[];
}
