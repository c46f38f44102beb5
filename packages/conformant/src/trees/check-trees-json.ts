import { rejectTrees } from "./reject-trees.ts";
import type { TreeJson, TreesJson } from "./trees-json.ts";

/** Checks that a document has the shape of trees, as far as that can be said without the columns of the data. */
export function checkTreesJson(json: TreesJson): void {
  if (typeof json !== "object" || json === null) rejectTrees("the document", "an object", json);
  const { classes, features, link, base, categories, setsGo, label, trees } = json;
  if (!areNames(classes) || classes.length < 2)
    rejectTrees("classes", "a list of two or more distinct non-empty strings", classes);
  if (!areNames(features) || features.length === 0)
    rejectTrees("features", "a non-empty list of distinct names", features);
  if (!["probability", "logistic", "softmax"].includes(link))
    rejectTrees("link", '"probability", "logistic" or "softmax"', link);
  if (link === "logistic" && classes.length !== 2)
    rejectTrees("link", "another one for more than two classes", link);
  const sums = link === "logistic" ? 1 : classes.length;
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
