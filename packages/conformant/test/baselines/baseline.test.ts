import { describe, expect, it } from "vitest";
import {
  BASELINE_NAMES,
  classifyImputed,
  fitBaseline,
  fitConstants,
  imputeRows,
  reducedModels,
} from "../../src/entries/baselines.ts";
import { trainNaiveBayes } from "../../src/entries/naive-bayes.ts";
import {
  type Classifier,
  classify,
  conform,
  createClassifier,
  predict,
  type Row,
  train,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";

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

  it("is told by an unknown name which there are", () => {
    const name = "median_of_means" as "median";
    expectError(
      () => fitBaseline(name, classifier, rows),
      "invalid-argument",
      /one of min, max, .*"median_of_means"/,
    );
  });

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

  it("is shown as the value with the largest share", () => {
    const filled = imputeRows(fitConstants(classifier.schema, rows, "mean"), [{ size: 2 }]);
    const counts = COLORS.map((color) => rows.filter((row) => row.color === color).length);
    expect(filled).toEqual([
      {
        size: 2,
        round: expect.closeTo(rows.filter(({ round }) => round === 1).length / rows.length, 12),
        color: COLORS[counts.indexOf(Math.max(...counts))],
      },
    ]);
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
});

describe("reduced models", () => {
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
    expectError(() => models.predict(holes), "invalid-argument", /6 patterns, at most 2/);
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
