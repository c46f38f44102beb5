import {
  type Column,
  conformMixture,
  createClassifier,
  type Model,
  type Row,
  random,
  readTrees,
  type TreesJson,
} from "conformant";
import type { NamedModel } from "./fixtures.ts";

/** What a random model is made of. */
export interface Recipe {
  readonly classes: number;
  readonly components: number;
  /** Columns of the Gaussian block, 0 for atoms. */
  readonly block: number;
  readonly trees?: TreesJson["link"];
  readonly seed: number;
}

/** Forty recipes: 2 and 7 classes, 1 and 8 components, no block and blocks of 3, 10 and 30 columns, trees with every link. */
export function recipes(): Recipe[] {
  const additive = [1, 2].flatMap((seed) =>
    [2, 7].flatMap((classes) =>
      [1, 8].flatMap((components) => [0, 3, 10, 30].map((block) => ({ classes, components, block, seed }))),
    ),
  );
  const trees = [2, 7].flatMap((classes) =>
    [1, 8].flatMap((components) => {
      const links = ["probability", classes === 2 ? "logistic" : "softmax"] as const;
      return links.map((link, j) => ({
        classes,
        components,
        block: j * (components === 8 ? 3 : 0),
        trees: link,
        seed: 3,
      }));
    }),
  );
  return [...additive, ...trees];
}

export function nameOf({ classes, components, block, trees, seed }: Recipe): string {
  return `K${classes}-M${components}-d${block}-${trees ?? "additive"}-${seed}`;
}

/** Columns of every kind: numbers, 0/1, categories and bins. */
function columnsOf(numbers: number, withBins: boolean): Column[] {
  return [
    ...Array.from({ length: numbers }, (_, j): Column => ({ name: `x${j}`, kind: "numeric" })),
    { name: "bit", kind: "binary" },
    { name: "city", kind: "categorical", values: ["Bonn", "Köln", "St. Gallen", "1"] },
    ...(withBins ? [{ name: "age", kind: "binned", edges: [-0.5, 0.25, 1] } as const] : []),
  ];
}

/** A model made from a recipe, and rows with 0 to 100 % gaps to ask it about. */
export function makeModel(recipe: Recipe, asked = 500): NamedModel & { readonly rows: readonly Row[] } {
  const { classes: K, components, block, trees, seed } = recipe;
  const { uniform, normal } = random(seed * 1000 + K * 100 + components * 10 + block);
  const columns = columnsOf(block || 3, trees === undefined);
  const classes = Array.from({ length: K }, (_, k) => `class ${k}`);
  const common = columns.map(() => normal());
  const draw = (gaps: number): Row => {
    const shared = normal();
    const cells = columns.flatMap((column, i): [string, Row[string]][] => {
      if (uniform() < gaps) return [];
      const x = shared * common[i] + normal() + 3;
      if (column.kind === "categorical") return [[column.name, column.values[Math.abs(Math.round(x)) % 4]]];
      return [[column.name, column.kind === "binary" ? Number(x > 3) : Math.round(100 * x) / 100]];
    });
    return Object.fromEntries(cells);
  };
  const rows = Array.from({ length: 300 }, () => draw(0.05));
  const slots = columns.reduce(
    (sum, column) => sum + (column.kind === "categorical" || column.kind === "binned" ? 4 : 1),
    0,
  );
  // Half of the classifiers do not use the first number and the bit, which only help to tell what is missing.
  const unused = seed === 2 ? [0, block || 3] : [];
  const classifier = trees
    ? readTrees(randomTrees(classes, columns, trees, uniform), { columns })
    : createClassifier({
        schema: { columns },
        classes,
        intercept: Float64Array.from(classes, () => normal()),
        weights: Float64Array.from({ length: slots * K }, (_, j) =>
          unused.includes(Math.floor(j / K)) ? 0 : normal() * 0.7,
        ),
      });
  const model: Model = conformMixture(classifier, rows, {
    components,
    numeric: block ? "gaussian" : "atoms",
    maxIterations: 3,
    restarts: 1,
    seed,
  });
  const questions = Array.from({ length: asked }, (_, r) =>
    draw(r % 5 === 0 ? (r % 10 === 0 ? 0 : 1) : uniform()),
  );
  return { name: nameOf(recipe), model, rows: questions };
}

/** Twelve trees of depth 3. */
function randomTrees(
  classes: readonly string[],
  columns: readonly Column[],
  link: TreesJson["link"],
  uniform: () => number,
): TreesJson {
  const features = columns.map(({ name }) => name);
  const categories = columns.map((column) => (column.kind === "categorical" ? [...column.values] : null));
  const count = 12;
  const trees = Array.from({ length: count }, (_, t) => {
    const inner = 7;
    const feature = Array.from({ length: 15 }, (_, n) =>
      n < inner ? Math.floor(uniform() * columns.length) : -1,
    );
    const shares = (): number[] => {
      const own = classes.map(() => uniform() ** 2);
      const total = own.reduce((sum, x) => sum + x, 0);
      return own.map((x) => x / total / count);
    };
    return {
      output: link === "softmax" ? t % classes.length : 0,
      feature,
      threshold: feature.map((f, n) =>
        n < inner ? (columns[f].kind === "binary" ? 0.5 : 1 + 4 * uniform()) : null,
      ),
      left: feature.map((_, n) => (n < inner ? 2 * n + 1 : -1)),
      right: feature.map((_, n) => (n < inner ? 2 * n + 2 : -1)),
      value: feature.map((_, n) =>
        n < inner ? null : link === "probability" ? shares() : 2 * uniform() - 1,
      ),
      sets: feature.map((f, n) =>
        n < inner && columns[f].kind === "categorical" ? [0, 1, 2, 3].filter(() => uniform() < 0.5) : null,
      ),
    };
  });
  return { kind: "trees", classes, features, categories, link, trees };
}
