import type { Shape } from "conformant-workbench/sql";

/** One column of a batch: numbers, codes, or texts with null for NULL. */
export type BatchColumn = Float64Array | Int32Array | readonly (string | null)[];

/** Some rows of a query's result, column by column: no row is ever an object. */
export interface Batch {
  readonly rows: number;
  readonly columns: readonly BatchColumn[];
}

/**
 * Runs a query of an engine.
 *
 * @param size `few` where the result is small however many rows it is of: it is asked for at once, which an engine may compute in
 *   parallel, and not bit by bit
 */
export type Query = (sql: string, shapes: readonly Shape[], size?: "few") => AsyncIterable<Batch>;
