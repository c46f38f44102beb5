import { checkSchema, type Schema } from "../schema/column.ts";
import { checkTreesJson } from "./check-trees-json.ts";
import { placeOf, withOwnValues } from "./feature-place.ts";
import { rejectTree, rejectTrees } from "./reject-trees.ts";
import { TreeBuilder } from "./tree-builder.ts";
import { createTreeClassifier, type TreeClassifier } from "./tree-classifier.ts";
import type { TreesJson } from "./trees-json.ts";

/**
 * Brings in trees that were made elsewhere. The schema says which columns are categorical and which values they have: a split
 * on the bit `column=value`, or on a set of codes whose names are told, becomes a set of the column's own values.
 *
 * @throws `unknown-column` where the trees ask about a feature that is not in the schema, `invalid-weights` where they are no trees
 */
export function readTrees(json: TreesJson, known: Schema): TreeClassifier {
  const { columns } = checkSchema(known);
  checkTreesJson(json);
  const asked = new Set(json.trees.flatMap(({ feature }) => feature.filter((f) => f >= 0)));
  const places = json.features.map((name, f) =>
    placeOf(name, columns, { categories: json.categories?.[f] ?? null, asked: asked.has(f) }),
  );
  const used = columns.filter((column) => places.some((place) => place?.column === column));
  const schema: Schema = { columns: used.map((column) => withOwnValues(column, places)) };
  const builder = new TreeBuilder(json, places, used, schema);
  const roots = json.trees.map((tree, t) => builder.add(tree, t));
  const sums = json.link === "logistic" ? 1 : json.classes.length;
  const trees = createTreeClassifier({
    kind: "trees",
    schema,
    classes: json.classes,
    ...(json.label !== undefined && { label: json.label }),
    link: json.link,
    base: Float64Array.from(json.base ?? new Float64Array(sums)),
    roots: Int32Array.from(roots),
    ...builder.finish(),
  });
  if (trees.link === "probability") checkShares(trees);
  return trees;
}

/** Leaves of probabilities may be off a sum of 1 by this: single precision, added up. */
const SHARE_ROUNDING = 1e-5;

/** Trees whose leaves hold probabilities: every leaf of a tree has the same sum, and those of all trees are 1. */
function checkShares({ base, roots, nodes, width, values }: TreeClassifier): void {
  let total = base.reduce((a, b) => a + b, 0);
  roots.forEach((root, t) => {
    let first: number | undefined;
    const end = roots[t + 1] ?? nodes.column.length;
    for (let n = root; n < end; n++) {
      if (nodes.column[n] >= 0) continue;
      const from = nodes.left[n] * width;
      const sum = values.subarray(from, from + width).reduce((a, b) => a + b, 0);
      first ??= sum;
      if (Math.abs(sum - first) > SHARE_ROUNDING)
        rejectTree(t, `must have probabilities that sum to ${first} in each leaf, as in its first`, sum);
    }
    total += first ?? 0;
  });
  if (Math.abs(total - 1) > SHARE_ROUNDING) rejectTrees("trees", "probabilities that sum to 1", total);
}
