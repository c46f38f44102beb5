import { findCompleteRows, pickRows, type Table } from "conformant";
import type { Answers } from "./cross-validate.ts";
import { withoutLast } from "./without-columns.ts";

/** The share of complete rows whose likeliest class is their label. */
export function trainingAccuracy(answers: Answers, table: Table): number {
  const rows = pickRows(table, findCompleteRows(table));
  const labels = rows.columns[rows.columns.length - 1];
  const probabilities = answers(withoutLast(rows));
  const K = probabilities.length / rows.rows;
  let right = 0;
  for (let r = 0; r < rows.rows; r++) {
    const own = probabilities.subarray(r * K, (r + 1) * K);
    if (own[labels[r]] === Math.max(...own)) right++;
  }
  return right / rows.rows;
}
