import { conformMixture, createClassifier, type Model, type Row, random, readTrees } from "conformant";

/** What the classes, and the values of a categorical column, are called: three each. */
export interface Names {
  readonly classes: readonly string[];
  readonly categories: readonly string[];
}

/** Names that JavaScript's objects list in another order than they were given in. */
export const NUMBER_NAMES: Names = { classes: ["-1", "0", "1"], categories: ["0.5", "1", "2"] };
/** Names that they list in the order given, each unlike any part of another text. */
export const PLAIN_NAMES: Names = {
  classes: ["classA", "classB", "classC"],
  categories: ["valU", "valV", "valW"],
};

/** A text or an answer about plain names as it must be about others. */
export function renamed<T>(answer: T, to: Names): T {
  let text = JSON.stringify(answer);
  for (const [k, name] of PLAIN_NAMES.classes.entries()) text = text.replaceAll(name, to.classes[k]);
  for (const [v, name] of PLAIN_NAMES.categories.entries()) text = text.replaceAll(name, to.categories[v]);
  return JSON.parse(text) as T;
}

export function namedRows({ categories }: Names, count: number): Row[] {
  const g = random(5);
  return Array.from({ length: count }, (): Row => {
    const color = g.integer(3);
    return {
      x: Math.round(4 * g.normal()) / 2 + color,
      color: categories[color],
      bit: g.integer(2),
      size: g.uniform() < 0.6 ? categories[color] : categories[g.integer(3)],
    };
  });
}

const columnsOf = ({ categories }: Names) =>
  [
    { name: "x", kind: "numeric" },
    { name: "color", kind: "categorical", values: categories },
    { name: "bit", kind: "binary" },
    { name: "size", kind: "categorical", values: categories },
  ] as const;

/** An additive classifier or trees with a mixture of two components: the same numbers whatever the names are. */
export function namedModel(kind: "additive" | "trees", names: Names): Model {
  return conformMixture(kind === "trees" ? treesOf(names) : additiveOf(names), namedRows(names, 120), {
    components: 2,
    numeric: "atoms",
  });
}

function additiveOf(names: Names) {
  const g = random(11);
  return createClassifier({
    schema: { columns: columnsOf(names) },
    classes: names.classes,
    intercept: Float64Array.from({ length: 3 }, () => 0.3 * g.normal()),
    weights: Float64Array.from({ length: 8 * 3 }, () => 1.5 * g.normal()),
  });
}

function treesOf(names: Names) {
  const g = random(3);
  const leaf = (): number[] => Array.from({ length: 3 }, () => 1.5 * g.normal());
  return readTrees(
    {
      kind: "trees",
      classes: names.classes,
      features: ["x", "color", "bit", "size"],
      categories: [null, names.categories, null, names.categories],
      link: "softmax",
      trees: [
        {
          feature: [0, 1, 2, -1, -1, -1, -1],
          threshold: [1, null, 0.5, null, null, null, null],
          sets: [null, [0, 2], null, null, null, null, null],
          left: [1, 3, 5, -1, -1, -1, -1],
          right: [2, 4, 6, -1, -1, -1, -1],
          value: [null, null, null, leaf(), leaf(), leaf(), leaf()],
        },
        {
          feature: [3, -1, -1],
          threshold: [null, null, null],
          sets: [[1], null, null],
          left: [1, -1, -1],
          right: [2, -1, -1],
          value: [null, leaf(), leaf()],
        },
      ],
    },
    { columns: columnsOf(names) },
  );
}
