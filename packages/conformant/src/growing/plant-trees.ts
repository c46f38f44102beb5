import type { Schema } from "../schema/column.ts";
import { below } from "../trees/threshold.ts";
import { createTreeClassifier, type TreeClassifier } from "../trees/tree-classifier.ts";
import type { BinnedColumn } from "./binned-rows.ts";
import type { GrownTree } from "./grow-tree.ts";

/** What trees need besides their nodes. */
export interface Ground {
  readonly schema: Schema;
  readonly classes: readonly string[];
  readonly label: string;
  readonly base: Float64Array;
  readonly columns: readonly BinnedColumn[];
}

/** Lays grown trees out as a classifier: bins become thresholds of numbers and sets of values. */
export function plantTrees(
  trees: readonly GrownTree[],
  { schema, classes, label, base, columns }: Ground,
): TreeClassifier {
  const [column, threshold, set, left, right, gapsLeft] = [0, 0, 0, 0, 0, 0].map((): number[] => []);
  const sets: Uint8Array[] = [];
  const [values, outputs]: [number[], number[]] = [[], []];
  const push = (...numbers: readonly number[]): number => {
    [column, threshold, set, left, right, gapsLeft].forEach((list, j) => {
      list.push(numbers[j]);
    });
    return column.length - 1;
  };
  const plant = (tree: GrownTree, output: number): number => {
    if (tree.kind === "leaf") {
      values.push(tree.value);
      outputs.push(output);
      return push(-1, 0, -1, outputs.length - 1, 0, 0);
    }
    const { split } = tree;
    const { edges, ordered } = columns[split.column];
    const cut = split.left.lastIndexOf(1);
    // Bin cut holds what is below its upper edge; a bit is its own value.
    const limit = edges ? below(edges[cut]) : cut;
    if (!ordered) sets.push(split.left);
    const at = push(
      split.column,
      ordered ? limit : 0,
      ordered ? -1 : sets.length - 1,
      -1,
      -1,
      split.gapsLeft ? 1 : 0,
    );
    left[at] = plant(tree.left, output);
    right[at] = plant(tree.right, output);
    return at;
  };
  const roots = trees.map((tree, t) => plant(tree, t % base.length));
  return createTreeClassifier({
    kind: "trees",
    schema,
    classes,
    label,
    link: base.length === 1 ? "logistic" : "softmax",
    base,
    roots: Int32Array.from(roots),
    nodes: {
      column: Int32Array.from(column),
      threshold: Float64Array.from(threshold),
      set: Int32Array.from(set),
      left: Int32Array.from(left),
      right: Int32Array.from(right),
      gapsLeft: Uint8Array.from(gapsLeft),
    },
    sets,
    width: 1,
    values: Float64Array.from(values),
    outputs: Int32Array.from(outputs),
  });
}
