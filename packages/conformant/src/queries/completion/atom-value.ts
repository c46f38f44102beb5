import type { Model } from "../../model/model.ts";
import type { Value } from "../../schema/data.ts";

/** A value of column `i` that falls into its atom `v`: the value itself, a number's representative, the middle of a bin. */
export function atomValue({ classifier, atoms }: Model, i: number, v: number): Value {
  const column = classifier.schema.columns[i];
  if (column.kind === "categorical") return column.values[v];
  if (column.kind === "binned") return insideBin(column.edges, v);
  return atoms.columns[i].values?.[v] ?? v;
}

/** The middle of bin j, [edges[j − 1], edges[j]); in a bin without end as far beyond the edge as the next bin is wide. */
function insideBin(edges: readonly number[], j: number): number {
  const last = edges.length - 1;
  if (last < 0) return 0;
  if (j === 0) return below(edges[0], last > 0 ? (edges[1] - edges[0]) / 2 : 1);
  if (j > last) return edges[last] + (last > 0 ? (edges[last] - edges[last - 1]) / 2 : 1);
  const middle = (edges[j - 1] + edges[j]) / 2;
  // Between neighbouring numbers there is no other, and the middle is rounded to one of them.
  return middle < edges[j] ? middle : edges[j - 1];
}

/** x less a width that rounding does not swallow. */
function below(x: number, width: number): number {
  return x - Math.max(width, Math.abs(x) * Number.EPSILON);
}
