import {
  type Classifier,
  classify,
  conform,
  createClassifier,
  loadModel,
  type Progress,
  predict,
  type Row,
  random,
  readTrees,
  saveModel,
  train,
} from "conformant";
import { answerOfTrees } from "conformant/trees";
import { describe, expect, it } from "vitest";
import { expectError } from "../../../conformant/test/support/error.ts";
import {
  randomTreeRows,
  randomTreesJson,
  TREE_SCHEMA,
} from "../../../conformant/test/support/random-trees.ts";
import { BASELINE_NAMES, fitBaseline } from "../../src/baselines/baseline.ts";
import { classifyImputed } from "../../src/baselines/classify-imputed.ts";
import { fitConstants } from "../../src/baselines/fit-constants.ts";
import { trainNaiveBayes } from "../../src/baselines/naive-bayes.ts";
import { inOrderOf, reducedModels } from "../../src/baselines/reduced-models.ts";

const COLORS = ["red", "green", "blue"];

/** Rows with a number, a fact, a category and a label that depends on all of them. */
function sample(count: number, seed: number): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const [size, round, color] = [g.normal(), g.integer(2), g.integer(3)];
    const score = size + round - color + 0.7 * g.normal();
    return { size, round, color: COLORS[color], label: score > 0 ? "yes" : "no" };
  });
}

const rows = sample(300, 1);
const classifier = train(rows, { label: "label" });
const test = sample(20, 2);
const holes: Row[] = test.map(
  ({ size, round, color }, r) =>
    [{ round, color }, { size, round }, { size, color }, { color }, {}, { size, round, color }][r % 6],
);

describe("a baseline", () => {
  for (const name of BASELINE_NAMES) {
    it(`${name} answers rows with gaps in the classifier's classes, one at a time or together`, () => {
      const baseline = fitBaseline(name, classifier, rows);
      const { classes, probabilities } = baseline.predict(holes);
      expect(classes).toEqual(classifier.classes);
      holes.forEach((row, r) => {
        const alone = [...baseline.predict([row]).probabilities];
        expect(alone).toEqual([...probabilities.subarray(2 * r, 2 * r + 2)]);
        expect(alone[0] + alone[1]).toBeCloseTo(1, 12);
      });
    });
  }

  for (const name of BASELINE_NAMES.filter((name) => name !== "naive_bayes")) {
    it(`${name} gives a complete row the classifier's own answer`, () => {
      const { probabilities } = fitBaseline(name, classifier, rows).predict(test);
      test.forEach(({ label: _, ...row }, r) => {
        expect(probabilities[2 * r + 1]).toBe(classify(classifier, row).yes);
      });
    });
  }

  for (const name of ["em", "mice", "knn", "reduced"] as const) {
    it(`${name} reports progress and can be stopped`, () => {
      const training = rows.map((row, r) => (r % 9 === 0 ? { ...row, size: null } : row));
      const reports: Progress[] = [];
      const run = (signal: { aborted: boolean }): unknown => {
        const watch = { signal, onProgress: (progress: Progress) => reports.push(progress) };
        return fitBaseline(name, classifier, training, watch).predict(holes, watch);
      };
      run({ aborted: false });
      expect(reports.length).toBeGreaterThan(0);
      expect(reports.every(({ share }) => share >= 0 && share <= 1)).toBe(true);
      expectError(() => run({ aborted: true }), "aborted", /stopped/);
    });
  }

  it("that learns from labels needs to know their column", () => {
    const { label: _, ...anonymous } = classifier;
    expectError(
      () => fitBaseline("naive_bayes", anonymous, rows),
      "invalid-argument",
      /does not name its label/,
    );
  });
});

describe("an imputed one-hot group", () => {
  it("is scored by the share of each value", () => {
    const colors: Classifier = createClassifier({
      schema: { columns: [{ name: "color", kind: "categorical", values: COLORS }] },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0.5),
      weights: Float64Array.of(0, 1, 0, -2, 0, 4),
    });
    const data = [{ color: "red" }, { color: "red" }, { color: "green" }, { color: "blue" }];
    const logit = (method: "mean" | "max" | "min" | "median" | "most_frequent"): number => {
      const [no, yes] = classifyImputed(colors, fitConstants(colors.schema, data, method), [
        {},
      ]).probabilities;
      return Math.log(yes / no);
    };
    expect(logit("mean")).toBeCloseTo(0.5 + (2 * 1 - 2 + 4) / 4, 12);
    expect(logit("max")).toBeCloseTo(0.5 + 1 - 2 + 4, 12);
    expect(logit("min")).toBeCloseTo(0.5, 12);
    expect(logit("median")).toBeCloseTo(0.5 + 0.5, 12);
    expect(logit("most_frequent")).toBeCloseTo(0.5 + 1, 12);
  });

  it("must be of the classifier's columns", () => {
    const other = fitConstants({ columns: [{ name: "size", kind: "numeric" }] }, rows, "mean");
    expectError(() => classifyImputed(classifier, other, holes), "invalid-argument", /other columns/);
  });
});

describe("naive Bayes as a baseline", () => {
  it("is the model that trainNaiveBayes gives", () => {
    const model = trainNaiveBayes(rows, { label: "label" });
    const { probabilities } = fitBaseline("naive_bayes", classifier, rows).predict([{ color: "red" }]);
    expect(probabilities[1]).toBe(predict(model, { color: "red" }).yes);
  });

  it("is saved and read back with its binned columns", () => {
    const rows = Array.from({ length: 80 }, (_, r) => ({
      y: r % 2 ? "a" : "b",
      x: (r * 7) % 40,
      c: `${r % 3}`,
    }));
    const model = trainNaiveBayes(rows, { label: "y", bins: 4 });
    expect(predict(loadModel(saveModel(model)), { x: 3 })).toEqual(predict(model, { x: 3 }));
  });
});

describe("reduced models", () => {
  it("reduced models answer for a scorecard", () => {
    const scorecard = createClassifier({
      schema: {
        columns: [
          { name: "x", kind: "binned", edges: [0, 1] },
          { name: "z", kind: "binary" },
        ],
      },
      classes: ["no", "yes"],
      label: "y",
      intercept: Float64Array.of(0, -0.5),
      weights: Float64Array.of(0, -1, 0, 0.5, 0, 2, 0, 1),
    });
    const g = random(1);
    const rows: Row[] = Array.from({ length: 80 }, () => {
      const [x, z] = [2 * g.normal(), g.integer(2)];
      return { x, z, y: x + z + g.normal() > 0.5 ? "yes" : "no" };
    });
    const { probabilities } = fitBaseline("reduced", scorecard, rows).predict([
      { x: 3 },
      { x: -3 },
      { z: 1 },
      {},
      { x: 1, z: 1 },
    ]);
    const yes = [0, 1, 2, 3, 4].map((r) => probabilities[2 * r + 1]);
    expect(yes[0]).toBeGreaterThan(yes[2]);
    expect(yes[1]).toBeLessThan(yes[2]);
    expect(yes[3]).toBe(rows.filter(({ y }) => y === "yes").length / rows.length);
    expect(yes[4]).toBe(classify(scorecard, { x: 1, z: 1 }).yes);
  });

  it("need complete rows to learn from", () => {
    const incomplete = rows.map((row) => ({ ...row, size: null }));
    expectError(
      () => reducedModels(classifier, incomplete, { label: "label" }),
      "empty-data",
      /need complete rows/,
    );
  });

  it("are classifiers trained on the known columns", () => {
    const models = reducedModels(classifier, rows, { label: "label" });
    const expected = train(rows, { label: "label", columns: ["size", "round"] });
    const row = { size: 0.3, round: 1 };
    expect(models.predict([row]).probabilities[1]).toBeCloseTo(classify(expected, row).yes, 9);
    expect(models.trained).toBe(1);
  });

  it("answer a row of which nothing is known by the share of each class", () => {
    const share = rows.filter(({ label }) => label === "yes").length / rows.length;
    expect(reducedModels(classifier, rows, { label: "label" }).predict([{}]).probabilities[1]).toBe(share);
  });

  it("are refused beyond a number of patterns", () => {
    const models = reducedModels(classifier, rows, { label: "label", maxPatterns: 2 });
    expectError(() => models.predict(holes), "invalid-argument", /at most 2 patterns, got 6/);
  });

  it("bring nothing that the expected prediction does not have when the missing column does not matter", () => {
    const g = random(5);
    const noisy = rows.map((row) => ({ ...row, noise: g.integer(2) }));
    const full = train(noisy, { label: "label" });
    const models = reducedModels(full, noisy, { label: "label" });
    const model = conform(full, noisy);
    const row = { size: 0.3, round: 1, color: "green" };
    expect(models.predict([row]).probabilities[1]).toBeCloseTo(predict(model, row).yes, 2);
  });
});

it("predictions get another order of the classes, with 0 for those that they do not have", () => {
  const predictions = {
    classes: ["a", "b", "c"],
    probabilities: Float64Array.of(1, 2, 3, 4, 5, 6),
    unseen: [],
  };
  const probabilities = (...classes: string[]): number[] => [
    ...inOrderOf(classes, predictions).probabilities,
  ];
  expect(probabilities("a", "b", "c")).toEqual([1, 2, 3, 4, 5, 6]);
  expect(probabilities("c", "a", "b")).toEqual([3, 1, 2, 6, 4, 5]);
  expect(probabilities("a", "b")).toEqual([1, 2, 4, 5]);
  expect(probabilities("a", "new", "c", "b")).toEqual([1, 0, 3, 2, 4, 0, 6, 5]);
  expect(inOrderOf(["b", "a"], predictions).classes).toEqual(["b", "a"]);
});

describe("trees", () => {
  it("answer imputed rows as any other: numbers imputed by their mean, categories by the most frequent value", () => {
    const g = random(8);
    const rows = randomTreeRows(g, 40);
    const trees = readTrees(randomTreesJson(g, { link: "logistic" }), TREE_SCHEMA);
    const means = Object.fromEntries(
      TREE_SCHEMA.columns.map(({ name, kind }) => {
        const values = rows.map((row) => row[name]).filter((x) => x !== null && x !== undefined);
        if (kind !== "categorical")
          return [name, values.reduce((sum: number, x) => sum + Number(x), 0) / values.length];
        const counts = values.map((x) => values.filter((y) => y === x).length);
        return [name, values[counts.indexOf(Math.max(...counts))]];
      }),
    );
    const asked = rows.map((row, r) => ({
      ...row,
      [TREE_SCHEMA.columns[r % TREE_SCHEMA.columns.length].name]: null,
    }));
    const filled = asked.map((row, r) => {
      const { name } = TREE_SCHEMA.columns[r % TREE_SCHEMA.columns.length];
      return { ...row, [name]: means[name] };
    });
    const answers = fitBaseline("mean", trees, rows).predict(asked).probabilities;
    filled.forEach((row, r) => {
      const x = trees.schema.columns.map((column) =>
        column.kind === "categorical"
          ? column.values.indexOf(String(row[column.name]))
          : Number(row[column.name]),
      );
      const own = answerOfTrees(trees, Float64Array.from(x));
      for (const [k, p] of own.entries()) expect(answers[r * own.length + k]).toBeCloseTo(p, 12);
    });
  });
});
