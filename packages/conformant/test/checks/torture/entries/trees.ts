import {
  additiveOf,
  answerOfTrees,
  conformMixture,
  createTreeClassifier,
  encode,
  expectTrees,
  hasTrees,
  readTrees,
  singleBelow,
  type TreeClassifier,
  trainTrees,
  weightless,
} from "../../../../src/index.ts";
import { random } from "../../../../src/math/random.ts";
import { check, checkProbabilities, type World } from "../world.ts";
import type { Entry } from "./entry.ts";

/** Random trees on the columns of a problem that trees can ask about. */
function treesOf({ problem }: World, seed: number): TreeClassifier {
  const g = random(seed);
  const columns = problem.columns.filter(({ kind }) => kind !== "binned");
  const features = columns.map((column) =>
    column.kind === "categorical" ? `${column.name}=${column.values[0]}` : column.name,
  );
  const stump = () => ({
    feature: [g.integer(Math.max(1, features.length)), -1, -1],
    threshold: [g.normal() * 10 ** (g.integer(200) - 100), null, null],
    left: [1, -1, -1],
    right: [2, -1, -1],
    value: [null, g.normal() * 10 ** g.integer(4), g.normal()],
    output: g.integer(problem.classes.length),
  });
  return readTrees(
    {
      kind: "trees",
      classes: problem.classes,
      features,
      link: "softmax",
      trees: Array.from({ length: 1 + g.integer(5) }, stump),
    },
    { columns },
  );
}

function cellsOf(trees: TreeClassifier, world: World): Float64Array {
  const table = encode(trees.schema, [world.row], { extra: "ignore" });
  return Float64Array.from(table.columns, (cells, i) =>
    trees.schema.columns[i].kind !== "numeric" && cells[0] < 0 ? Number.NaN : cells[0],
  );
}

export const trees = {
  readTrees: (world, { whole }) => {
    check(treesOf(world, whole[0]).roots.length > 0, "trees have roots");
  },
  createTreeClassifier: (world, { whole }) => {
    const made = treesOf(world, whole[0]);
    check(createTreeClassifier(made) === made, "what is right stays as it is");
  },
  answerOfTrees: (world, { whole }) => {
    const made = treesOf(world, whole[0]);
    checkProbabilities(answerOfTrees(made, cellsOf(made, world)), "answers");
  },
  weightless: (world, { whole }) => {
    check(
      weightless(treesOf(world, whole[0])).weights.every((weight) => weight === 0),
      "no weights",
    );
  },
  additiveOf: (world, { whole }) => {
    check(additiveOf(treesOf(world, whole[0])) !== undefined, "stumps are additive");
  },
  singleBelow: (_, { real }) => {
    const t = Math.fround(real[0]);
    if (Number.isFinite(t)) check(singleBelow(t) < t, `below ${t}`);
  },
  hasTrees: (world) => {
    check(!hasTrees(world.model), "an additive model has none");
  },
  expectTrees: (world, { whole }) => {
    const made = treesOf(world, whole[0]);
    const rows = world.rows.map((row) =>
      Object.fromEntries(made.schema.columns.map(({ name }) => [name, row[name]])),
    );
    const model = conformMixture(made, rows, { components: 2, maxSteps: 5, ...world.weights });
    if (!hasTrees(model)) return check(false, "a model of trees has them");
    const { probabilities, standardError } = expectTrees(model, world.row, { extra: "ignore" });
    checkProbabilities(probabilities, "expected answers");
    check(standardError >= 0 && standardError < 1, `standard error ${standardError}`);
  },
  trainTrees: (world) => {
    const made = trainTrees(world.labelled, { label: "label", steps: 5, ...world.weights });
    checkProbabilities(answerOfTrees(made, cellsOf(made, world)), "answers of trained trees");
  },
} satisfies Record<string, Entry>;
