import { describe, expect, it } from "vitest";
import { completionSpace } from "../../src/distribution/completion-space.ts";
import { enumerateCompletions } from "../../src/distribution/completions.ts";
import { answerOfTrees, answerRows } from "../../src/entries/trees.ts";
import {
  conformMixture,
  encode,
  loadModel,
  type Model,
  predict,
  predictColumns,
  type Row,
  readTrees,
  saveModel,
  shapley,
  type Table,
  type TreeClassifier,
  trainTrees,
} from "../../src/index.ts";
import { type Random, random } from "../../src/math/random.ts";
import { splitOnIndicators } from "../../src/trees/split-on-indicators.ts";
import { enumerated, meanOf } from "../support/enumerate-trees.ts";
import { halfOf, randomTreeRows, randomTreesJson, TREE_SCHEMA } from "../support/random-trees.ts";

/** Sums of a few thousand products of doubles. */
const EXACT = 1e-12;
const COLUMNS = ["age", "city"];

/** Random trees, each of whose nodes sends missing values to a side of its own. */
function randomTrees(g: Random, link: "probability" | "logistic" | "softmax"): TreeClassifier {
  const json = randomTreesJson(g, { link, classes: link === "logistic" ? 2 : 3 });
  const trees = json.trees.map((tree) => ({ ...tree, gapsLeft: tree.feature.map(() => g.integer(2)) }));
  return readTrees({ ...json, trees }, TREE_SCHEMA);
}

/** |S|! (3 − |S|)! / 4! of four players. */
const SHARES = [1 / 4, 1 / 12, 1 / 12, 1 / 4];

/** All completions of a row of which only some columns are known, and so whether these are missing. */
function completions(
  model: Model<TreeClassifier>,
  row: Row,
  known: readonly string[],
): { p: Float64Array; weight: number }[] {
  const table = encode(model.schema, [row]);
  const columns = table.columns.map((cells, i) => {
    const column = model.schema.columns[i];
    const of = column.kind === "binary" ? (column.gapOf ?? column.name) : column.name;
    return known.includes(of) ? cells : cells.map(() => (column.kind === "numeric" ? Number.NaN : -1));
  }) as Table["columns"];
  const space = completionSpace(model, { ...table, columns }, 0);
  const x = Float64Array.from(columns, ([cell]) => cell);
  const all: { p: Float64Array; weight: number }[] = [];
  enumerateCompletions(space, (atoms, weight) => {
    space.missing.forEach(({ index }, j) => {
      x[index] = model.atoms.columns[index].values?.[atoms[j]] ?? atoms[j];
    });
    all.push({ p: answerOfTrees(model.predictor, x), weight });
  });
  return all;
}

/** The trees' walk, where a missing value goes as the node says. */
function walk(trees: TreeClassifier, row: Row): number[] {
  const table = encode(trees.schema, [row]);
  const cells = table.columns.map(([x], i) =>
    trees.schema.columns[i].kind !== "numeric" && x < 0 ? Number.NaN : x,
  );
  return [...answerOfTrees(trees, Float64Array.from(cells))];
}

describe.each(["probability", "logistic", "softmax"] as const)("trees with indicators, link %s", (link) => {
  const g = random(link.length);
  const plain = randomTrees(g, link);
  const marked = splitOnIndicators(plain, COLUMNS);
  const rows = randomTreeRows(g, 80);
  const holed = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !COLUMNS.includes(name) || g.uniform() < 0.6)),
  );

  it("answer complete rows as before and send missing values where the trees do, bit for bit", () => {
    for (const row of rows) expect(walk(marked, row)).toEqual(walk(plain, row));
    for (const row of holed) expect(walk(marked, row)).toEqual(walk(plain, row));
    const own = answerRows(marked, encode(marked.schema, rows));
    expect(own).toEqual(answerRows(plain, encode(plain.schema, rows)));
  });

  it("predict the mean over all completions, and the trees' own answer where only columns with indicators are missing", () => {
    const model = conformMixture(marked, holed, { components: 2, numeric: "atoms", bins: 5 });
    for (const row of holed.slice(0, 40)) {
      expect(Object.values(predict(model, row))).toEqual(walk(plain, row));
      const known = halfOf(row, g);
      const truth = meanOf(enumerated(model, known));
      Object.values(predict(model, known)).forEach((p, k) => {
        expect(Math.abs(p - truth[k])).toBeLessThan(EXACT);
      });
    }
    const again = loadModel(saveModel(model)) as Model;
    expect(predictColumns(again, holed).probabilities).toEqual(predictColumns(model, holed).probabilities);
  });

  it("explain a missing value as a feature of its own: Shapley values equal the sum over all coalitions", () => {
    const model = conformMixture(marked, holed, { components: 2, numeric: "atoms", bins: 5 });
    const row = { smoker: 1, dose: 0.3, city: "Ulm" };
    const [label] = model.response.outputs;
    const found = shapley(model, row, { class: label, scale: "probability" });
    const players = TREE_SCHEMA.columns.map(({ name }) => name);
    const value = (known: readonly string[]): number => meanOf(completions(model, row, known))[0];
    for (const { column, contribution } of found.contributions) {
      const others = players.filter((name) => name !== column);
      let sum = 0;
      for (let subset = 0; subset < 8; subset++) {
        const own = others.filter((_, j) => (subset >> j) & 1);
        sum += SHARES[own.length] * (value([...own, column]) - value(own));
      }
      expect(Math.abs(contribution - sum)).toBeLessThan(EXACT);
    }
    expect(found.contributions.map(({ column }) => column).sort()).toEqual([...players].sort());
  });
});

it("indicators are for columns that trees ask about, and none are needed where none is asked about", () => {
  const trees = readTrees(
    {
      kind: "trees",
      classes: ["no", "yes"],
      features: ["age", "dose"],
      link: "logistic",
      trees: [
        {
          feature: [0, -1, -1],
          threshold: [0, null, null],
          left: [1, -1, -1],
          right: [2, -1, -1],
          value: [null, -1, 1],
        },
      ],
    },
    TREE_SCHEMA,
  );
  expect(splitOnIndicators(trees, ["dose"])).toBe(trees);
  const names = splitOnIndicators(trees, ["age", "dose"]).schema.columns.map(({ name }) => name);
  expect(names.filter((name) => name.endsWith("is missing"))).toEqual(["age is missing"]);
});

/** Rows of which the missing ages tell the class, and a hidden age of a row that has one tells nothing. */
function survey(count: number, seed: number): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const missing = g.uniform() < 0.3;
    const [age, income] = [g.normal(), g.normal()];
    const p = missing ? 0.15 : 1 / (1 + Math.exp(-1 - income));
    return { age: missing ? null : age, income, vote: g.uniform() < p ? "yes" : "no" };
  });
}

it("trained trees tell rows without a value from others, also where its values tell nothing", () => {
  const rows = survey(1500, 8);
  const [random_, informative] = (["random", "informative"] as const).map((missing) => {
    const trees = trainTrees(rows, { label: "vote", missing });
    const inputs = rows.map(({ vote: _, ...row }) => row);
    return conformMixture(trees, inputs, { components: 1, numeric: "atoms" });
  });
  const yes = (model: Model, row: Row): number => (predict(model, row) as Record<string, number>).yes;
  expect(informative.schema.columns.map(({ name }) => name)).toEqual(["age", "income", "age is missing"]);
  expect(yes(random_, { income: 0 })).toBeGreaterThan(0.5);
  expect(yes(informative, { income: 0 })).toBeLessThan(0.25);
  const complete = { age: 0.4, income: 0.2 };
  expect(predict(informative, complete)).toEqual(predict(random_, complete));
});
