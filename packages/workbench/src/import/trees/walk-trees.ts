import type { RegressionTreesJson, TreesJson } from "conformant";
import { categoryKey } from "conformant/texts";

/**
 * The answer of trees as their file defines it, node by node, independent of the library: for checks.
 *
 * @param input the value of a feature in the row: the number, or 0 and 1 for a bit
 * @param textOf the text of a column, for features that are split by sets of codes
 */
export function walkTrees(
  json: TreesJson | RegressionTreesJson,
  input: (feature: string) => number,
  textOf: (column: string) => string | undefined,
): number[] {
  const { features, categories, link, base, single, setsGo, trees } = json;
  const several = "classes" in json && link !== "logistic";
  const sums = [...(base ?? new Array<number>(several ? json.classes.length : 1).fill(0))];
  for (const tree of trees) {
    let n = 0;
    while (tree.feature[n] >= 0) {
      const f = tree.feature[n];
      const set = tree.sets?.[n];
      let left: boolean;
      if (set) {
        const key = categoryKey(textOf(features[f]) ?? "");
        const code = categories?.[f]?.findIndex((name) => categoryKey(name) === key) ?? -1;
        left = set.includes(code) === (setsGo !== "right");
      } else {
        const x = input(features[f]);
        left = (single ? Math.fround(x) : x) <= (tree.threshold[n] ?? Number.NaN);
      }
      n = left ? tree.left[n] : tree.right[n];
    }
    const value = tree.value[n];
    if (typeof value === "number") sums[tree.output ?? 0] += value;
    else for (const [k, own] of (value ?? []).entries()) sums[k] += own;
  }
  if (link === "probability" || link === "identity") return sums;
  if (link === "log") return [Math.exp(sums[0])];
  if (link === "logit") return [1 / (1 + Math.exp(-sums[0]))];
  return link === "softmax" ? softmax(sums) : softmax([0, sums[0]]);
}

/** e^s / Σ e^s. */
export function softmax(scores: readonly number[]): number[] {
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}
