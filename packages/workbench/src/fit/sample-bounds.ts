import type { Table } from "conformant";
import { findCompleteRows } from "conformant/internal";

/** How much of a large table is used by what hardly changes with more rows and takes much longer. */
export interface SampleBounds {
  /**
   * Cells, rows × columns, of the rows with missing values to which a mixture is fitted at most, and by which its size and kind and the
   * weights of missing values are chosen. Complete rows cost less.
   */
  readonly mixtureCells: number;
  /** Rows that are held out at most to compare and score models. */
  readonly scoredRows: number;
  /** Rows on which a first trial of a model, and a logistic regression that is scored, are trained at most. Trees learn from all. */
  readonly triedRows: number;
  /** Cells, times the classes where there are more than two, from which on trees are trained once, without the rows that are held out. */
  readonly trainedOnce: number;
  /** Bytes of encoded rows up to which a classifier is trained on all of them in memory; more are read in passes. */
  readonly bytesAtOnce: number;
}

export const USUAL_BOUNDS: SampleBounds = {
  mixtureCells: 200_000,
  scoredRows: 10_000,
  triedRows: 30_000,
  trainedOnce: 3e6,
  bytesAtOnce: 1 << 27,
};

/** Rows with missing values that a mixture is fitted to at least, however many columns there are. */
const LEAST_ROWS = 2000;
/** What a complete row costs of a row with missing values when a classifier and a mixture are trained in turns. */
const COMPLETE_SHARE = 0.25;

/** Rows of a table by which a classifier and a mixture are trained in turns; undefined for all. */
export function rowsToComplete(table: Table, bounds: SampleBounds): number | undefined {
  const complete = findCompleteRows(table).length;
  return boundedRows(table, table.rows - complete + COMPLETE_SHARE * complete, bounds);
}

/** Rows of a table to which a mixture is fitted; undefined for all. */
export function rowsToDescribe(table: Table, bounds: SampleBounds): number | undefined {
  return boundedRows(table, table.rows - findCompleteRows(table).length, bounds);
}

/** @param costly rows of the table that count */
function boundedRows(
  { rows, columns }: Table,
  costly: number,
  { mixtureCells }: SampleBounds,
): number | undefined {
  const most = Math.max(LEAST_ROWS, Math.floor(mixtureCells / columns.length));
  return costly <= most ? undefined : Math.floor((rows * most) / costly);
}
