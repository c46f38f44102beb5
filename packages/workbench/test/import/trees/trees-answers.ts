import { type Column, encode, type Row, readTrees, type TreesJson } from "conformant";
import { answerOfTrees } from "conformant/trees";

/** The largest difference between trees that were read and the answers of the software that made them. */
export function largestDifference(
  json: TreesJson,
  columns: readonly Column[],
  rows: readonly Row[],
  answers: readonly (readonly number[])[],
): number {
  const trees = readTrees(json, { columns });
  const table = encode(trees.schema, rows, { extra: "ignore" });
  const x = new Float64Array(trees.schema.columns.length);
  let largest = 0;
  rows.forEach((_, r) => {
    table.columns.forEach((cells, i) => {
      const missing =
        columns.find(({ name }) => name === trees.schema.columns[i].name)?.kind !== "numeric" && cells[r] < 0;
      x[i] = missing ? Number.NaN : cells[r];
    });
    answerOfTrees(trees, x).forEach((p, k) => {
      largest = Math.max(largest, Math.abs(p - answers[r][k]));
    });
  });
  return largest;
}
