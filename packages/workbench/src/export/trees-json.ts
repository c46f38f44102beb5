import type { Distribution, TreeClassifier, TreeEnsemble, TreeJson, TreeRegressor } from "conformant";
import { valueLabels } from "conformant/internal";
import { gaussianColumnNames, gaussianJson } from "./gaussian-json.ts";

/** Trees in the format of --classifier (docs/any-classifier.md), which all importers return. */
export function treesJson(trees: TreeClassifier | TreeRegressor): object {
  const { schema, label, link, base, roots } = trees;
  const categories = schema.columns.map((column) => (column.kind === "numeric" ? null : valueLabels(column)));
  return {
    kind: "trees",
    ...(trees.kind === "trees" ? { classes: trees.classes } : { output: trees.output }),
    ...(label !== undefined && { label }),
    features: schema.columns.map(({ name }) => name),
    categories,
    link,
    base: [...base],
    trees: Array.from(roots, (root) => treeJson(trees, root)),
  };
}

/** One tree, its nodes in depth-first order. */
function treeJson({ nodes, sets, width, values, outputs }: TreeEnsemble, root: number): TreeJson {
  const order = [root];
  const placeOf = new Map([[root, 0]]);
  for (const n of order) {
    if (nodes.column[n] < 0) continue;
    for (const child of [nodes.left[n], nodes.right[n]]) {
      placeOf.set(child, order.length);
      order.push(child);
    }
  }
  const isLeaf = (n: number): boolean => nodes.column[n] < 0;
  const childOf = (n: number, side: Int32Array): number => (isLeaf(n) ? -1 : (placeOf.get(side[n]) ?? -1));
  const firstLeaf = nodes.left[order.find(isLeaf) ?? root];
  return {
    ...(width === 1 && { output: outputs[firstLeaf] }),
    feature: order.map((n) => nodes.column[n]),
    threshold: order.map((n) => (isLeaf(n) || nodes.set[n] >= 0 ? null : nodes.threshold[n])),
    left: order.map((n) => childOf(n, nodes.left)),
    right: order.map((n) => childOf(n, nodes.right)),
    value: order.map((n) => {
      if (!isLeaf(n)) return null;
      const own = [...values.subarray(nodes.left[n] * width, (nodes.left[n] + 1) * width)];
      return width === 1 ? own[0] : own;
    }),
    sets: order.map((n) =>
      isLeaf(n) || nodes.set[n] < 0
        ? null
        : [...sets[nodes.set[n]].entries()].flatMap(([code, left]) => (left === 1 ? [code] : [])),
    ),
    gapsLeft: order.map((n) => nodes.gapsLeft[n]),
  };
}

/**
 * The distribution of the rows: the weight of each component, and per column its values and probabilities in it, or the mean and covariance
 * of the numbers in a Gaussian.
 */
export function distributionJson(model: Distribution): object {
  const { components, atoms, gaussianColumns } = model;
  const { columns } = model.schema;
  const inGaussian = new Set(gaussianColumns?.columns);
  return {
    ...(gaussianColumns && { gaussian_columns: gaussianColumnNames(model) }),
    components: components.map(({ logWeight, logQ, gaussian }) => ({
      weight: Math.exp(logWeight),
      columns: Object.fromEntries(
        columns.flatMap((column, i) => {
          if (inGaussian.has(i)) return [];
          const values =
            column.kind === "numeric" ? [...(atoms.columns[i].values ?? [])] : valueLabels(column);
          const probabilities = Array.from(logQ.subarray(atoms.offsets[i], atoms.offsets[i + 1]), Math.exp);
          return [[column.name, { values, probabilities }]];
        }),
      ),
      ...(gaussian && { gaussian: gaussianJson(gaussian) }),
    })),
  };
}
