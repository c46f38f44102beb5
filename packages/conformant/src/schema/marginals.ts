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

/** What is known of one column. */
export type ColumnMarginal = DiscreteMarginal | NumericMarginal;

/**
 * All that fitting needs of the data (section 3 of the mathematics): how often each value of each column occurs. Rows
 * with gaps count for the columns they have.
 */
export interface Marginals {
  readonly schema: Schema;
  /** The total weight of the rows; a column's counts sum to less where it has gaps. */
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

/** How far the counts of a column may exceed the rows before it is a mistake: rounding in sums of many weights. */
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
