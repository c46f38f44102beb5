import { addScores } from "../classifier/add-scores.ts";
import { ConformantError, show } from "../errors.ts";
import type { Component, Model } from "../model/model.ts";
import { slotOffsets } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";

/**
 * Class scores of rows `start` to `end` under one component:
 *
 *     b_k + Σ_{i observed} s_ki(y_i) + Σ_{i missing} log Z_ki
 *
 * Observed numbers count with their true value, so a complete row gets the classifier's own scores.
 *
 * @param out (end − start) × K, overwritten
 */
export function componentScores(
  model: Model,
  component: Component,
  table: Table,
  start: number,
  end: number,
  out: Float64Array,
): void {
  const { schema, intercept, weights } = model.classifier;
  const K = intercept.length;
  const slots = slotOffsets(schema);
  for (let at = 0; at < (end - start) * K; at++) out[at] = intercept[at % K];
  schema.columns.forEach((column, i) => {
    addScores(out, K, column, table.columns[i], start, end, weights, slots[i], component.logZ, i);
  });
}

/** Throws for a row whose scores are not finite, naming the infinite number of a table made by hand where there is one. */
export function rejectInfinite(table: Table, row: number): never {
  const i = table.columns.findIndex((cells) => Math.abs(cells[row]) === Number.POSITIVE_INFINITY);
  if (i < 0) {
    const message = `row ${row}: the numbers are so large, or so unlikely together, that no probability can be computed`;
    throw new ConformantError("invalid-value", message, { row });
  }
  const { name } = table.schema.columns[i];
  const value = table.columns[i][row];
  const message = `column ${show(name)}, row ${row}: must be a finite number or missing, got ${value}`;
  throw new ConformantError("invalid-value", message, { column: name, row, value });
}
