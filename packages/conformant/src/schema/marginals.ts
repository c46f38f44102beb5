import { ConformantError, show } from "../errors.ts";
import type { Column, Schema } from "./column.ts";

/** Weighted counts of a discrete column, by code. */
export interface DiscreteMarginal {
  readonly kind: "discrete";
  readonly counts: Float64Array;
}

/**
 * Weighted counts of a numeric column by atom. Atom j holds the values in [edges[j − 1], edges[j]) and is represented
 * by `values[j]`, their mean; where `exact`, every atom is a single value.
 */
export interface NumericMarginal {
  readonly kind: "numeric";
  readonly exact: boolean;
  /** Ascending representatives, one per atom. */
  readonly values: Float64Array;
  /** Ascending boundaries, one fewer than atoms. */
  readonly edges: Float64Array;
  readonly counts: Float64Array;
}

/** The counts of one column. */
export type ColumnMarginal = DiscreteMarginal | NumericMarginal;

/**
 * The sufficient statistics of the data for one component (section 3 of docs/mathematics.md): how often each value of each column occurs.
 * Incomplete rows count for the columns they have.
 */
export interface Marginals {
  readonly schema: Schema;
  /** The total weight of the rows; a column's counts sum to less where it has missing values. */
  readonly rows: number;
  /** In the schema's order. */
  readonly columns: readonly ColumnMarginal[];
}

/** The observed weight of a column. */
export function observedWeight(marginal: ColumnMarginal): number {
  let sum = 0;
  for (const count of marginal.counts) sum += count;
  return sum;
}

/** The tolerance for counts that exceed the rows, because of rounding in sums of many weights. */
const ROUNDING = 1e-9;

/** Throws unless the counts are finite, not negative and, per column, no more than the rows. */
export function checkCounts(column: Column, marginal: ColumnMarginal, rows: number): void {
  const { name } = column;
  const bad = marginal.counts.findIndex((count) => !(count >= 0 && count < Number.POSITIVE_INFINITY));
  if (bad >= 0) {
    const value = marginal.counts[bad];
    const message = `column ${show(name)}: counts must be finite and not negative, got ${value} at position ${bad}`;
    throw new ConformantError("invalid-counts", message, { column: name, value });
  }
  const total = observedWeight(marginal);
  if (total > rows * (1 + ROUNDING)) {
    const message = `column ${show(name)}: its counts add up to ${total}, more than the ${rows} rows`;
    throw new ConformantError("invalid-counts", message, { column: name, value: total });
  }
}
