import {
  answerOfTrees,
  fitImputer,
  type ImputerMethod,
  imputeRows,
  type Row,
  type Table,
  type TreeClassifier,
  type WatchOptions,
} from "conformant";
import type { Method } from "./method.ts";

/** What the trees' own software does with gaps. */
export const NATIVE = "native";

/** The ways to fill gaps; what other rivals there are learns from the labels by itself. */
const IMPUTERS: readonly string[] = ["min", "max", "mean", "median", "most_frequent", "em", "mice", "knn"];

/** A rival that asks the same trees: with gaps as their own software takes them, or on rows that were filled. */
export function treeMethod(
  trees: TreeClassifier,
  name: string,
  training: Table,
  watch: WatchOptions,
): Method | undefined {
  if (name === NATIVE) return { name, predict: (table) => answers(trees, table.rows, nativeCell(table)) };
  if (!IMPUTERS.includes(name)) return undefined;
  const imputer = fitImputer(name as ImputerMethod, trees.schema, training, watch);
  return {
    name,
    predict: (table, options) =>
      answers(trees, table.rows, filledCell(trees, imputeRows(imputer, table, options))),
  };
}

/** What stands in column i of row r: a number or a code, NaN for a gap. */
type Cell = (r: number, i: number) => number;

function nativeCell({ schema, columns }: Table): Cell {
  return (r, i) => {
    const x = columns[i][r];
    return schema.columns[i].kind !== "numeric" && x < 0 ? Number.NaN : x;
  };
}

function filledCell({ schema }: TreeClassifier, rows: readonly Row[]): Cell {
  const codes = schema.columns.map((column) =>
    column.kind === "categorical" ? new Map(column.values.map((value, code) => [value, code])) : undefined,
  );
  return (r, i) => {
    const value = rows[r][schema.columns[i].name];
    return codes[i]?.get(String(value)) ?? Number(value);
  };
}

/** The trees' answers: rows × K. */
function answers(trees: TreeClassifier, rows: number, cell: Cell): Float64Array {
  const [K, n] = [trees.classes.length, trees.schema.columns.length];
  const out = new Float64Array(rows * K);
  const x = new Float64Array(n);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < n; i++) x[i] = cell(r, i);
    out.set(answerOfTrees(trees, x), r * K);
  }
  return out;
}
