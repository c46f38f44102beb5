import { softmaxInPlace } from "../math/softmax.ts";
import type { Component, Model } from "../model/model.ts";
import { slotCount } from "../schema/column.ts";
import { isGapCell, type Table } from "../schema/data.ts";
import { rejectInfinite } from "./component-scores.ts";
import { mixtureScores } from "./mixture-scores.ts";

/**
 * The expected prediction for one row of a table, K probabilities: the same numbers as among many rows, to the last bit,
 * without the tables that pay for many rows only.
 */
export function predictRow(model: Model, table: Table, row: number): Float64Array {
  const K = model.classifier.classes.length;
  // The classifier's own answer, to the last bit: given a complete row every component says the same.
  if (isComplete(table, row)) return classScoresOf(model, table, row);
  const posterior = posteriorOfRow(model, table, row);
  const probabilities = new Float64Array(K);
  for (let a = 0; a < posterior.length; a++) probabilities[a % K] += posterior[a];
  return probabilities;
}

/** P(k | x) of a row without gaps. */
function classScoresOf(model: Model, table: Table, row: number): Float64Array {
  const scores = new Float64Array(model.classifier.classes.length);
  addClassScores(model, model.components[0], table, row, scores);
  if (!Number.isFinite(softmaxInPlace(scores))) rejectInfinite(table, row);
  return scores;
}

/** Whether no column of a row is missing. */
export function isComplete({ columns }: Table, row: number): boolean {
  return columns.every((cells) => !isGapCell(cells, row));
}

/** P(m, k | y): M × K. */
export function posteriorOfRow(model: Model, table: Table, row: number): Float64Array {
  const scores = new Float64Array(model.components.length * model.classifier.classes.length);
  if (model.components.length > 1 || model.block) mixtureScores(model, table, row, row + 1, scores);
  else addClassScores(model, model.components[0], table, row, scores);
  if (!Number.isFinite(softmaxInPlace(scores))) rejectInfinite(table, row);
  return scores;
}

/** b_k + Σ_{i known} s_ki(y_i) + Σ_{i missing} log Z_ki, added column by column. */
function addClassScores(
  { classifier: { schema, intercept, weights } }: Model,
  { logZ }: Component,
  table: Table,
  row: number,
  out: Float64Array,
): void {
  const K = intercept.length;
  out.set(intercept);
  let slot = 0;
  for (let i = 0; i < schema.columns.length; i++) {
    const column = schema.columns[i];
    const x = table.columns[i][row];
    if (column.kind === "numeric" ? Number.isNaN(x) : x < 0) {
      for (let k = 0; k < K; k++) out[k] += logZ[i * K + k];
    } else if (column.kind === "numeric" || column.kind === "binary") {
      for (let k = 0; k < K; k++) out[k] += weights[slot * K + k] * x;
    } else {
      for (let k = 0; k < K; k++) out[k] += weights[(slot + x) * K + k];
    }
    slot += slotCount(column);
  }
}
