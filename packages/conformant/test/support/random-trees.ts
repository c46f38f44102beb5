import {
  conformMixture,
  type Model,
  type Row,
  readTrees,
  type Schema,
  type TreeClassifier,
  type TreesJson,
} from "../../src/index.ts";
import { type Random, random } from "../../src/math/random.ts";

/** Columns of every kind that trees split on, and the features they see of them. */
export const TREE_SCHEMA: Schema = {
  columns: [
    { name: "age", kind: "numeric" },
    { name: "smoker", kind: "binary" },
    { name: "city", kind: "categorical", values: ["Bonn", "Köln", "Ulm"] },
    { name: "dose", kind: "numeric" },
  ],
};
const FEATURES = ["age", "smoker", "city=Bonn", "city=Ulm", "dose"];

/** Random trees as a file of another software would have them. */
export function randomTreesJson(
  g: Random,
  {
    link,
    classes = 2,
    trees = 12,
    depth = 4,
  }: { link: TreesJson["link"]; classes?: number; trees?: number; depth?: number },
): TreesJson {
  const leaf = (): number | number[] => {
    if (link !== "probability") return 0.4 * g.normal();
    const shares = Array.from({ length: classes }, () => g.uniform());
    const sum = shares.reduce((a, b) => a + b, 0) * trees;
    return shares.map((share) => share / sum);
  };
  return {
    kind: "trees",
    classes: Array.from({ length: classes }, (_, k) => `class ${k}`),
    features: FEATURES,
    link,
    trees: Array.from({ length: trees }, (_, t) => {
      const nodes = { feature: [] as number[], threshold: [] as (number | null)[], left: [] as number[] };
      const tree = { ...nodes, right: [] as number[], value: [] as (number | number[] | null)[] };
      const grow = (level: number): number => {
        const at = tree.feature.length;
        const ends = level === 0 || g.uniform() < 0.15;
        const feature = ends ? -1 : g.integer(FEATURES.length);
        const number = feature === 0 || feature === 4;
        tree.feature.push(feature);
        tree.threshold.push(ends ? null : number ? g.normal() : 0.5);
        tree.left.push(-1);
        tree.right.push(-1);
        tree.value.push(ends ? leaf() : null);
        if (ends) return at;
        tree.left[at] = grow(level - 1);
        tree.right[at] = grow(level - 1);
        return at;
      };
      grow(depth);
      return { ...tree, output: link === "softmax" ? t % classes : 0 };
    }),
  };
}

/** Rows of {@link TREE_SCHEMA}. */
export function randomTreeRows(g: Random, count: number): Row[] {
  return Array.from({ length: count }, () => {
    const age = g.normal();
    return {
      age,
      smoker: g.uniform() < 0.4 ? 1 : 0,
      city: ["Bonn", "Köln", "Ulm"][g.integer(3)],
      dose: 0.7 * age + g.normal(),
    };
  });
}

/** A model of random trees on the rows. */
export function randomTreeModel(
  seed: number,
  options: Parameters<typeof randomTreesJson>[1],
  mixture: { components: number; numeric: "atoms" | "gaussian"; bins?: number },
): { model: Model<TreeClassifier>; rows: Row[]; g: Random } {
  const g = random(seed);
  const trees = readTrees(randomTreesJson(g, options), TREE_SCHEMA);
  const rows = randomTreeRows(g, 60);
  return { model: conformMixture(trees, rows, mixture), rows, g };
}

/** A row with about half of its cells. */
export function halfOf(row: Row, g: Random): Row {
  return Object.fromEntries(Object.entries(row).filter(() => g.uniform() < 0.5));
}
