import { factorsOf, hiddenNormals } from "../../factors/factors-of.ts";
import type { HiddenNormals } from "../../factors/hidden-normals.ts";
import type { MissingColumn } from "../../factors/missing-column.ts";
import type { Model } from "../../model/model.ts";
import { posteriorOfRow } from "../../posterior/predict-row.ts";
import { isGapCell, type Table } from "../../schema/data.ts";

/**
 * All ways to complete a row: given component and class the missing columns with finitely many values are independent, and
 * the hidden numbers, if any, jointly normal,
 *
 *     P(x_missing | y) = Σ_mk P(m, k | y) Π_i P_m(x_i | k) · P_m(x_h | y_o, k)
 */
export interface CompletionSpace {
  readonly model: Model;
  readonly K: number;
  /** P(m, k | y), M × K. */
  readonly posterior: Float64Array;
  /** The missing columns with finitely many values. */
  readonly missing: readonly MissingColumn[];
  /** The missing numbers that are jointly normal. */
  readonly normals: HiddenNormals;
  /** How many completions there are; Infinity beyond the range of numbers, and where normal numbers are missing. */
  readonly size: number;
}

/** The completions of row `row` of a table. */
export function completionSpace(model: Model, table: Table, row: number): CompletionSpace {
  const K = model.classifier.classes.length;
  const gaps = Array.from(table.columns.keys()).filter((i) => isGapCell(table.columns[i], row));
  const missing = factorsOf(model).flatMap((factor) => factor.missingColumns(gaps));
  const normals = hiddenNormals(model, table, row);
  const size = normals.columns.length > 0 ? Number.POSITIVE_INFINITY : sizeOf(missing);
  return { model, K, posterior: posteriorOfRow(model, table, row), missing, normals, size };
}

/** In how many ways columns can be completed. */
export function sizeOf(missing: readonly MissingColumn[]): number {
  return missing.reduce((product, { count }) => product * count, 1);
}

/** Tells the cell of every missing column in a completion, with the column's position in the schema. */
export function eachCell(
  { missing, normals }: CompletionSpace,
  atoms: Int32Array,
  numbers: Float64Array,
  tell: (index: number, cell: number) => void,
): void {
  for (let j = 0; j < missing.length; j++) tell(missing[j].index, missing[j].cellOf(atoms[j]));
  for (let a = 0; a < numbers.length; a++) tell(normals.columns[a], numbers[a]);
}
