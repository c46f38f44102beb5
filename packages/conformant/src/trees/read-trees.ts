import { NUMBER_LINKS } from "../predictors/number-link.ts";
import { checkSchema, type Schema } from "../schema/column.ts";
import {
  placeOf,
  type RegressionTreesJson,
  sumsOf,
  TreeBuilder,
  type TreeJson,
  type TreesJson,
  withOwnValues,
} from "./tree-builder.ts";
import {
  createTreeClassifier,
  createTreeRegressor,
  rejectTree,
  rejectTrees,
  type TreeClassifier,
  type TreeRegressor,
} from "./tree-ensemble.ts";

/**
 * Brings in trees that were made elsewhere. The schema says which columns are categorical and which values they have: a split
 * on the bit `column=value`, or on a set of codes whose names are told, becomes a set of the column's own values.
 *
 *     const trees = readTrees(JSON.parse(text), inferSchema(rows));
 *
 * @throws `unknown-column` where the trees ask about a feature that is not in the schema, `invalid-weights` where they are no trees
 */
export function readTrees(json: TreesJson, known: Schema): TreeClassifier;
export function readTrees(json: RegressionTreesJson, known: Schema): TreeRegressor;
export function readTrees(
  json: TreesJson | RegressionTreesJson,
  known: Schema,
): TreeClassifier | TreeRegressor {
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
  const parts = {
    schema,
    ...(json.label !== undefined && { label: json.label }),
    base: Float64Array.from(json.base ?? new Float64Array(sumsOf(json))),
    roots: Int32Array.from(roots),
    ...builder.finish(),
  };
  if ("output" in json)
    return createTreeRegressor({ kind: "regression-trees", output: json.output, link: json.link, ...parts });
  const trees = createTreeClassifier({ kind: "trees", classes: json.classes, link: json.link, ...parts });
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

/** Checks that a document has the shape of trees, as far as that can be said without the columns of the data. */
export function checkTreesJson(json: TreesJson | RegressionTreesJson): void {
  if (typeof json !== "object" || json === null) rejectTrees("the document", "an object", json);
  const { features, base, categories, setsGo, label, trees } = json;
  if (!areNames(features) || features.length === 0)
    rejectTrees("features", "a non-empty list of distinct names", features);
  checkAnswer(json);
  const sums = sumsOf(json);
  if (base !== undefined && !(Array.isArray(base) && base.length === sums && base.every(Number.isFinite)))
    rejectTrees("base", `a list of ${sums} finite numbers`, base);
  if (categories !== undefined && !areCategories(categories, features.length))
    rejectTrees("categories", `a list of ${features.length} lists of names or nulls`, categories);
  if (setsGo !== undefined && setsGo !== "left" && setsGo !== "right")
    rejectTrees("setsGo", '"left" or "right"', setsGo);
  if (label !== undefined && typeof label !== "string") rejectTrees("label", "a text", label);
  if (!Array.isArray(trees) || trees.length === 0) rejectTrees("trees", "a non-empty list", trees);
  trees.forEach((tree, t) => {
    checkTree(tree, `trees[${t}]`, features.length, sums);
  });
}

/** The classes or the name of the number, and a link that fits them. */
function checkAnswer(json: TreesJson | RegressionTreesJson): void {
  if ("output" in json) {
    if (typeof json.output !== "string" || json.output === "")
      rejectTrees("output", "a non-empty string", json.output);
    if (!NUMBER_LINKS.includes(json.link))
      rejectTrees("link", `one of ${NUMBER_LINKS.join(", ")}`, json.link);
    return;
  }
  const { classes, link } = json;
  if (!areNames(classes) || classes.length < 2)
    rejectTrees("classes", "a list of two or more distinct non-empty strings", classes);
  if (!["probability", "logistic", "softmax"].includes(link))
    rejectTrees("link", '"probability", "logistic" or "softmax"', link);
  if (link === "logistic" && classes.length !== 2)
    rejectTrees("link", "another one for more than two classes", link);
}

function checkTree(tree: TreeJson, name: string, features: number, sums: number): void {
  const lists = [tree?.feature, tree?.threshold, tree?.left, tree?.right, tree?.value];
  const nodes = tree?.feature?.length ?? 0;
  if (nodes === 0 || !lists.every((list) => Array.isArray(list) && list.length === nodes))
    rejectTrees(name, "lists feature, threshold, left, right and value of the same length", tree);
  const { feature, output, sets, gapsLeft } = tree;
  const place = feature.find((f) => !(Number.isInteger(f) && f >= -1 && f < features));
  if (place !== undefined) rejectTrees(`${name}.feature`, `-1 or one of the ${features} features`, place);
  if (output !== undefined && !(Number.isInteger(output) && output >= 0 && output < sums))
    rejectTrees(`${name}.output`, `a number from 0 to ${sums - 1}`, output);
  if (sets !== undefined && !(Array.isArray(sets) && sets.length === nodes && sets.every(isSet)))
    rejectTrees(`${name}.sets`, `a list of ${nodes} lists of codes or nulls`, sets);
  if (gapsLeft !== undefined && !(Array.isArray(gapsLeft) && gapsLeft.length === nodes))
    rejectTrees(`${name}.gapsLeft`, `a list of ${nodes}`, gapsLeft);
}

function areNames(list: unknown): list is readonly string[] {
  return (
    Array.isArray(list) &&
    list.every((name) => typeof name === "string" && name !== "") &&
    new Set(list).size === list.length
  );
}

function areCategories(categories: unknown, count: number): boolean {
  return (
    Array.isArray(categories) &&
    categories.length === count &&
    categories.every(
      (own) => own === null || (Array.isArray(own) && own.every((name) => typeof name === "string")),
    )
  );
}

function isSet(set: unknown): boolean {
  return set === null || (Array.isArray(set) && set.every((code) => Number.isInteger(code) && code >= 0));
}
