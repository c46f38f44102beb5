import {
  above,
  additiveOf,
  answerOfTrees,
  answerRows,
  below,
  checkTreesJson,
  createTreeClassifier,
  singleBelow,
  singleThreshold,
  treesOf as treesOfModel,
} from "../../../../src/entries/trees.ts";
import {
  classify,
  conformMixture,
  encode,
  predictRow,
  type Row,
  readTrees,
  type Schema,
  type TreeClassifier,
  trainTrees,
} from "../../../../src/index.ts";
import { random } from "../../../../src/math/random.ts";
import { enumerate, logSum } from "../truth.ts";
import { agrees, check, checkProbabilities, type World } from "../world.ts";
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

/** Answers of trees by walking every one of them; of a gap the way that the nodes say. */
function walk(trees: TreeClassifier, cells: ArrayLike<number>): number[] {
  const { roots, nodes, sets, values, outputs, width, link, classes } = trees;
  const sums = Array.from(trees.base);
  for (const root of roots) {
    let n = root;
    while (nodes.column[n] >= 0) {
      const x = cells[nodes.column[n]];
      const left = Number.isNaN(x)
        ? nodes.gapsLeft[n] === 1
        : nodes.set[n] >= 0
          ? sets[nodes.set[n]][x] === 1
          : x <= nodes.threshold[n];
      n = left ? nodes.left[n] : nodes.right[n];
    }
    const leaf = nodes.left[n];
    for (let j = 0; j < width; j++) sums[outputs[leaf] + j] += values[leaf * width + j];
  }
  if (link === "probability") return sums;
  const scores = link === "logistic" ? [0, sums[0]] : sums;
  const all = logSum(scores);
  return classes.map((_, k) => Math.exp(scores[k] - all));
}

/** Fails where the walk of a complete row leads to other answers. */
function checkWalk(trees: TreeClassifier, answers: ArrayLike<number>, cells: Float64Array): void {
  checkProbabilities(answers, "answers of trees");
  if (cells.some(Number.isNaN)) return;
  const truth = walk(trees, cells);
  check(
    truth.every((p, k) => agrees(answers[k], p)),
    `trees answer ${Array.from(answers)}, walked ${truth}`,
  );
}

function cellsOf(trees: TreeClassifier, row: Row): Float64Array {
  const table = encode(trees.schema, [row], { extra: "ignore" });
  return Float64Array.from(table.columns, (cells, i) =>
    trees.schema.columns[i].kind !== "numeric" && cells[0] < 0 ? Number.NaN : cells[0],
  );
}

/** The cells of the columns of a schema alone. */
function rowFor(schema: Schema, row: Row): Row {
  return Object.fromEntries(schema.columns.map(({ name }) => [name, row[name]]));
}

export const trees = {
  readTrees: (world, { whole }) => {
    check(treesOf(world, whole[0]).roots.length > 0, "trees have roots");
  },
  checkTreesJson: (world, { whole, flag }) => {
    const json = {
      kind: "trees" as const,
      classes: world.problem.classes,
      features: ["a"],
      link: "softmax" as const,
    };
    const tree = {
      feature: [0, -1, -1],
      threshold: [1, null, null],
      left: [1, -1, -1],
      right: [2, -1, -1],
      value: [null, 1, 2],
      output: 0,
    };
    checkTreesJson({ ...json, trees: [tree] });
    if (!flag[0]) return;
    checkTreesJson({ ...json, trees: [{ ...tree, feature: [1 + whole[0], -1, -1] }] });
    check(false, "a tree that asks about no feature is refused");
  },
  createTreeClassifier: (world, { whole }) => {
    const made = treesOf(world, whole[0]);
    check(createTreeClassifier(made) === made, "what is right stays as it is");
  },
  answerOfTrees: (world, { whole }) => {
    const made = treesOf(world, whole[0]);
    checkWalk(made, answerOfTrees(made, cellsOf(made, world.row)), cellsOf(made, world.row));
  },
  answerRows: (world, { whole }) => {
    const made = treesOf(world, whole[0]);
    const K = made.classes.length;
    const rows = world.rows.map((row) => rowFor(made.schema, row));
    const answers = answerRows(made, rows);
    rows.forEach((row, r) => {
      const own = answers.subarray(r * K, (r + 1) * K);
      const truth = walk(made, cellsOf(made, row));
      checkProbabilities(own, `answers to row ${r}`);
      check(
        truth.every((p, k) => agrees(own[k], p)),
        `trees answer ${Array.from(own)} to row ${r}, walked ${truth}`,
      );
    });
  },
  additiveOf: (world, { whole }) => {
    const made = treesOf(world, whole[0]);
    const additive = additiveOf(made);
    if (!additive) return check(false, "stumps are additive");
    const cells = cellsOf(made, world.row);
    if (cells.some(Number.isNaN)) return;
    const named = classify(additive, rowFor(additive.schema, world.row));
    const truth = walk(made, cells);
    check(
      truth.every((p, k) => agrees(named[made.classes[k]], p)),
      `as a sum they answer ${Object.values(named)}, walked ${truth}`,
    );
  },
  above: (_, { real }) => {
    const next = above(real[0]);
    check(next > real[0] && below(next) === real[0], `above ${real[0]} is ${next}`);
  },
  below: (_, { real }) => {
    const next = below(real[0]);
    check(next < real[0] && above(next) === real[0], `below ${real[0]} is ${next}`);
  },
  singleThreshold: (_, { real }) => {
    const [t, T] = [real[0], singleThreshold(real[0])];
    for (const x of [T, below(T), t, real[1], real[2]].filter(Number.isFinite))
      check(
        x <= T === Math.fround(x) <= t,
        `${x} is on the other side of ${T} than of ${t} in single precision`,
      );
    if (Number.isFinite(T)) check(Math.fround(above(T)) > t, `${T} is not the largest for ${t}`);
  },
  singleBelow: (_, { real }) => {
    const t = Math.fround(real[0]);
    if (Number.isFinite(t)) check(singleBelow(t) < t, `below ${t}`);
  },
  treesOf: (world) => {
    check(treesOfModel(world.model) === undefined, "an additive model has none");
  },
  predictRow: (world, { whole }) => {
    const made = treesOf(world, whole[0]);
    const rows = world.rows.map((row) => rowFor(made.schema, row));
    const model = conformMixture(made, rows, { components: 2, maxIterations: 5, ...world.weights });
    check(treesOfModel(model) === made, "a model of trees has them");
    const { probabilities: named, standardError = 0 } = predictRow(model, world.row, { extra: "ignore" });
    const probabilities = made.classes.map((name) => named[name]);
    checkProbabilities(probabilities, "expected answers");
    check(standardError >= 0 && standardError < 1, `standard error ${standardError}`);
    const truth = enumerate(model, rowFor(made.schema, world.row));
    if (!truth || truth.hidden) return;
    const known = cellsOf(made, world.row);
    const expected = made.classes.map(() => 0);
    for (const { probability, atoms } of truth.completions) {
      const cells = known.map((x, i) =>
        Number.isNaN(x) ? (model.atoms.columns[i].values?.[atoms[i]] ?? atoms[i]) : x,
      );
      walk(made, cells).forEach((p, k) => {
        expected[k] += probability * p;
      });
    }
    check(
      expected.every((p, k) => Math.abs(probabilities[k] - p) <= 6 * standardError + 1e-7),
      `expects ${probabilities} ± ${standardError}, by enumeration ${expected}`,
    );
  },
  trainTrees: (world) => {
    const made = trainTrees(world.labelled, { label: "label", maxIterations: 5, ...world.weights });
    const cells = cellsOf(made, world.row);
    checkWalk(made, answerOfTrees(made, cells), cells);
  },
} satisfies Record<string, Entry>;
