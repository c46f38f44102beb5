import { requireMade } from "../errors.ts";
import type { Data } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { answerOfTrees, type TreeClassifier } from "./tree-classifier.ts";

/** What the trees themselves answer to many rows, rows × K; gaps go where the trees' own software sends them. */
export function answerRows(trees: TreeClassifier, data: Data): Float64Array {
  requireMade("trees", trees);
  const { schema, rows, columns } = encode(trees.schema, data);
  const gapBelowZero = schema.columns.map(({ kind }) => kind !== "numeric");
  const K = trees.classes.length;
  const out = new Float64Array(rows * K);
  const x = new Float64Array(columns.length);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < x.length; i++) {
      const cell = columns[i][r];
      x[i] = gapBelowZero[i] && cell < 0 ? Number.NaN : cell;
    }
    out.set(answerOfTrees(trees, x), r * K);
  }
  return out;
}
