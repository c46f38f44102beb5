import type { Schema } from "../schema/column.ts";
import { below } from "../trees/threshold.ts";
import { NodeLists } from "../trees/tree-builder.ts";
import type { TreeEnsemble } from "../trees/tree-ensemble.ts";
import type { GrownTree } from "./grow-tree.ts";
import type { BinnedColumn } from "./histogram.ts";

/** What trees need besides their nodes. */
export interface Ground {
  readonly schema: Schema;
  readonly label: string;
  readonly base: Float64Array;
  readonly columns: readonly BinnedColumn[];
}

/** Lays grown trees out as an ensemble: bins become thresholds of numbers and sets of values. */
export function plantTrees(
  trees: readonly GrownTree[],
  { schema, label, base, columns }: Ground,
): Omit<TreeEnsemble, "link"> {
  const nodes = new NodeLists();
  const sets: Uint8Array[] = [];
  const [values, outputs]: [number[], number[]] = [[], []];
  const plant = (tree: GrownTree, output: number): number => {
    if (tree.kind === "leaf") {
      values.push(tree.value);
      outputs.push(output);
      return nodes.addLeaf(outputs.length - 1);
    }
    const { split } = tree;
    const { edges, ordered } = columns[split.column];
    const cut = split.left.lastIndexOf(1);
    // Bin cut holds what is below its upper edge, and the last one all other numbers; a bit is its own value.
    const limit = edges ? (cut < edges.length ? below(edges[cut]) : Number.MAX_VALUE) : cut;
    if (!ordered) sets.push(split.left);
    const at = nodes.addSplit({
      column: split.column,
      threshold: ordered ? limit : 0,
      set: ordered ? -1 : sets.length - 1,
      gapsLeft: split.gapsLeft,
    });
    nodes.setChild(at, "left", plant(tree.left, output));
    nodes.setChild(at, "right", plant(tree.right, output));
    return at;
  };
  const roots = trees.map((tree, t) => plant(tree, t % base.length));
  return {
    schema,
    label,
    base,
    roots: Int32Array.from(roots),
    nodes: nodes.finish(),
    sets,
    width: 1,
    values: Float64Array.from(values),
    outputs: Int32Array.from(outputs),
  };
}
