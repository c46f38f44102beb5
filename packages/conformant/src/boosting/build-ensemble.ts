import type { Schema } from "../schema/column.ts";
import { below } from "../trees/threshold.ts";
import { NodeLists } from "../trees/tree-builder.ts";
import type { TreeEnsemble } from "../trees/tree-ensemble.ts";
import type { Bins } from "./binned-columns.ts";
import type { GrownNode } from "./tree-grower.ts";

/** The parts of an ensemble besides its nodes. */
export interface Ground {
  readonly schema: Schema;
  readonly label: string;
  readonly base: Float64Array;
  readonly columns: readonly Bins[];
}

/** Converts grown trees to an ensemble: bins become thresholds of numbers and sets of categories. */
export function plantTrees(
  trees: readonly GrownNode[],
  { schema, label, base, columns }: Ground,
): Omit<TreeEnsemble, "link"> {
  const nodes = new NodeLists();
  const sets: Uint8Array[] = [];
  const [values, outputs]: [number[], number[]] = [[], []];
  const plant = ({ split, left, right, value }: GrownNode, output: number): number => {
    if (!split || !left || !right) {
      values.push(value);
      outputs.push(output);
      return nodes.addLeaf(outputs.length - 1);
    }
    const { edges } = columns[split.column];
    // A bin holds the numbers below its upper edge, and the last one all others; a bit is its own value.
    const { lastLeft } = split;
    const limit = edges ? (lastLeft < edges.length ? below(edges[lastLeft]) : Number.MAX_VALUE) : lastLeft;
    if (split.left) sets.push(split.left);
    const at = nodes.addSplit({
      column: split.column,
      threshold: split.left ? 0 : limit,
      set: split.left ? sets.length - 1 : -1,
      gapsLeft: split.gapsLeft,
    });
    nodes.setChild(at, "left", plant(left, output));
    nodes.setChild(at, "right", plant(right, output));
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
