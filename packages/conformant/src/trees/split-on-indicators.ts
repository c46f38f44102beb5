import type { Schema } from "../schema/column.ts";
import { createIndicators } from "../schema/indicators.ts";
import { NodeLists } from "./tree-builder.ts";
import type { TreeEnsemble } from "./tree-ensemble.ts";

/**
 * The same trees with indicators of missing values: before a tree asks about one of the columns it asks whether the value is missing, and
 * sends such rows where the software that made the tree sends them. Rows that know these columns get the same answer, bit for bit.
 *
 * A missing value thereby differs from an unknown one, over which an expectation averages. Columns that no tree asks about have no
 * indicator.
 *
 * @param columns the columns whose missing values count
 */
export function splitOnIndicators<T extends Omit<TreeEnsemble, "link">>(
  trees: T,
  columns: readonly string[],
): T {
  const { nodes, schema, roots, values, outputs, width, sets } = trees;
  const asked = new Set(nodes.column);
  const wanted = schema.columns.filter(({ name }, i) => asked.has(i) && columns.includes(name));
  if (wanted.length === 0) return trees;
  const indicators = createIndicators(schema, wanted);
  const marked: Schema = { columns: [...schema.columns, ...indicators] };
  /** Per column the position of its indicator, −1 for none. */
  const indicatorAt = schema.columns.map(({ name }) => {
    const at = indicators.findIndex(({ gapOf }) => gapOf === name);
    return at < 0 ? -1 : schema.columns.length + at;
  });
  const lists = new NodeLists();
  const leaves: number[] = [];
  /** Copies what is below a node for rows of which it is settled whether some columns are missing. */
  const copy = (from: number, settled: ReadonlyMap<number, boolean>): number => {
    const n = descend(from, settled);
    const column = nodes.column[n];
    if (column < 0) return lists.addLeaf(leaves.push(nodes.left[n]) - 1);
    const indicator = indicatorAt[column];
    if (indicator < 0 || settled.has(column)) {
      const split = { column, threshold: nodes.threshold[n], set: nodes.set[n] };
      const at = lists.addSplit({ ...split, gapsLeft: nodes.gapsLeft[n] === 1 });
      return children(at, copyOf(nodes.left[n], settled), copyOf(nodes.right[n], settled));
    }
    const at = lists.addSplit({ column: indicator, threshold: 0, set: -1, gapsLeft: true });
    const [known, missing] = [false, true].map((isMissing) => new Map([...settled, [column, isMissing]]));
    return children(at, copyOf(n, known), copyOf(n, missing));
  };
  const copyOf = (from: number, settled: ReadonlyMap<number, boolean>) => (): number => copy(from, settled);
  const children = (at: number, left: () => number, right: () => number): number => {
    lists.setChild(at, "left", left());
    lists.setChild(at, "right", right());
    return at;
  };
  /** The first node that such rows do not all leave on the same side. */
  const descend = (from: number, settled: ReadonlyMap<number, boolean>): number => {
    let n = from;
    for (let column = nodes.column[n]; column >= 0; column = nodes.column[n]) {
      const isMissing = settled.get(column);
      if (isMissing) n = nodes.gapsLeft[n] === 1 ? nodes.left[n] : nodes.right[n];
      else if (isMissing === false && leadsLeft(n)) n = nodes.left[n];
      else break;
    }
    return n;
  };
  /** Whether a node parts missing values from all others. */
  const leadsLeft = (n: number): boolean =>
    nodes.set[n] >= 0
      ? sets[nodes.set[n]].every((goes) => goes === 1)
      : nodes.threshold[n] >= Number.MAX_VALUE;
  const starts = Int32Array.from(roots, (root) => copy(root, new Map()));
  const own = new Float64Array(leaves.length * width);
  leaves.forEach((leaf, at) => {
    own.set(values.subarray(leaf * width, (leaf + 1) * width), at * width);
  });
  return {
    ...trees,
    schema: marked,
    roots: starts,
    nodes: lists.finish(),
    values: own,
    outputs: Int32Array.from(leaves, (leaf) => outputs[leaf]),
  };
}
