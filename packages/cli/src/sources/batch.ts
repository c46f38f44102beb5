import type { Shape } from "conformant-workbench/sql";

/** One column of a batch: numbers, codes, or texts with null for NULL. */
export type BatchColumn = Float64Array | Int32Array | readonly (string | null)[];

/** A batch of a query's result, by column; rows are never objects. */
export interface Batch {
  readonly rows: number;
  readonly columns: readonly BatchColumn[];
}

/**
 * Runs a query of an engine.
 *
 * @param size `few` if the result is small however many rows it summarizes: it is fetched at once, which an engine may compute in
 *   parallel instead of incrementally
 */
export type Query = (sql: string, shapes: readonly Shape[], size?: "few") => AsyncIterable<Batch>;
