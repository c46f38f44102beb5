import type { EncodedColumn, Schema, Table } from "conformant";
import { isDiscrete, isLinear, type Watch } from "conformant/internal";
import { slotOffsets } from "conformant/remote";

/** The imputation methods, by their names in results. */
export type ImputerMethod = "min" | "max" | "mean" | "median" | "most_frequent" | "em" | "mice" | "knn";

/**
 * Imputes the missing values of rows from what it learned from training data alone: a row is imputed the same way by itself and
 * among others.
 *
 * Rows are laid out in *slots*, as the classifier's weights are: a numeric or 0/1 column is one slot, a categorical or binned
 * column has a 0/1 slot per value. An imputed row need not be one that could occur: the mean of a one-hot group is the share of
 * each value, and the classifier scores it as Σ_v share_v · s_k(v).
 */
export interface Imputer {
  readonly method: ImputerMethod;
  readonly schema: Schema;
  /**
   * Replaces every NaN, which stands for a missing value.
   *
   * @param rows count × slots, row-major, `rows[r * slots + slot]`; a missing value is NaN in all slots of its column
   */
  fill(rows: Float64Array, count: number): void;
  /** The value of each slot, where a column is always imputed by the same value. */
  readonly constants?: Float64Array;
}

/** Rows that are imputed together. */
const TOGETHER = 256;

/** Imputes all rows and calls `visit` with the slots of each. The array is valid until the next row is visited. */
export function eachFilledRow(
  imputer: Imputer,
  table: Table,
  watch: Watch,
  visit: (slots: Float64Array, r: number) => void,
): void {
  const width = slotOffsets(table.schema)[table.schema.columns.length];
  for (let start = 0; start < table.rows; start += TOGETHER) {
    const end = Math.min(start + TOGETHER, table.rows);
    watch.step(start / table.rows);
    const rows = slotRows(table, start, end);
    imputer.fill(rows, end - start);
    for (let r = start; r < end; r++) visit(rows.subarray((r - start) * width, (r - start + 1) * width), r);
  }
}

/**
 * Rows `start` to `end` of a table in slots: the value of a numeric or 0/1 column, a one-hot group for a categorical or binned
 * column, NaN in every slot of a missing value.
 *
 * @returns (end − start) × slots, row-major
 */
export function slotRows(table: Table, start = 0, end = table.rows): Float64Array {
  const offsets = slotOffsets(table.schema);
  const width = offsets[table.schema.columns.length];
  const out = new Float64Array((end - start) * width);
  table.schema.columns.forEach((column, i) => {
    const cells = table.columns[i].subarray(start, end);
    if (isLinear(column)) copyValues(out, width, offsets[i], cells, isDiscrete(column));
    else setBits(out, width, offsets[i], offsets[i + 1], cells);
  });
  return out;
}

function copyValues(
  out: Float64Array,
  width: number,
  slot: number,
  cells: EncodedColumn,
  coded: boolean,
): void {
  for (let r = 0; r < cells.length; r++)
    out[r * width + slot] = coded && cells[r] < 0 ? Number.NaN : cells[r];
}

function setBits(out: Float64Array, width: number, from: number, to: number, cells: EncodedColumn): void {
  for (let r = 0; r < cells.length; r++) {
    if (cells[r] < 0) out.fill(Number.NaN, r * width + from, r * width + to);
    else out[r * width + from + cells[r]] = 1;
  }
}
