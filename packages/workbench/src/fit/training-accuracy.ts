import type { Table } from "conformant";
import { findCompleteRows, pickRows } from "conformant/internal";
import { splitLabel } from "../source/labeled-rows.ts";
import type { Answers } from "./cross-validate.ts";

/** The share of complete rows whose likeliest class is their label. */
export function trainingAccuracy(answers: Answers, table: Table): number {
  const { table: rows, labels } = splitLabel(pickRows(table, findCompleteRows(table)));
  const probabilities = answers(rows);
  const K = probabilities.length / rows.rows;
  let right = 0;
  for (let r = 0; r < rows.rows; r++) {
    const own = probabilities.subarray(r * K, (r + 1) * K);
    if (own[labels[r]] === Math.max(...own)) right++;
  }
  return right / rows.rows;
}
