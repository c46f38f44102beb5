import {
  askNext,
  type Column,
  conform,
  conformMixture,
  createClassifier,
  impute,
  predict,
  type Row,
  random,
  sample,
  shapley,
  trainTrees,
} from "conformant";
import { describe, expect, it } from "vitest";

/** Standard errors that a mean of draws may be from the truth. */
const ERRORS = 5;

function entropy(answer: Readonly<Record<string, number>>): number {
  return Object.entries(answer).reduce((sum, [, p]) => sum - (p > 0 ? p * Math.log(p) : 0), 0);
}

describe("the information of a group", () => {
  it("whose columns have indicators of missing values is the fall of the entropy, never above log K", () => {
    const columns: readonly Column[] = [
      { name: "a", kind: "binary" },
      { name: "b", kind: "categorical", values: ["x", "y", "z"] },
      { name: "a is missing", kind: "binary", gapOf: "a" },
    ];
    const classifier = createClassifier({
      schema: { columns },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, -1),
      weights: Float64Array.of(0, 2, 0, 1, 0, -1, 0, 0.5, 0, 6),
    });
    const g = random(2);
    const rows = Array.from(
      { length: 200 },
      (): Row => ({ a: g.integer(4) === 0 ? null : g.integer(2), b: "xyz"[g.integer(3)] }),
    );
    const model = conform(classifier, rows);
    const draws = sample(model, {}, { count: 4000 });
    const now = entropy(predict(model, {}));
    const falls = draws.map(({ a, b }) => now - entropy(predict(model, { a, b })));
    const mean = falls.reduce((sum, fall) => sum + fall, 0) / falls.length;
    const [group] = askNext(model, {}, { groups: { both: ["a", "b"] } });
    expect(Math.abs(group.informationGain - mean)).toBeLessThan(ERRORS * (group.error ?? 0) + 0.01);
    expect(Math.abs(group.informationGain)).toBeLessThanOrEqual(Math.log(2));
  });
});

describe("the information of a column", () => {
  it("is finite where a class is too unlikely for a number", () => {
    const classifier = createClassifier({
      schema: {
        columns: [
          { name: "z", kind: "binary" },
          { name: "x", kind: "binary" },
        ],
      },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0),
      weights: Float64Array.of(0, 1440, 0, -1440),
    });
    const rows = [0, 1, 2, 3].map((j): Row => ({ z: j % 2, x: j >> 1 }));
    const [{ informationGain }] = askNext(conform(classifier, rows), { z: 1 });
    expect(informationGain).toBeGreaterThanOrEqual(0);
    expect(informationGain).toBeLessThan(1e-9);
  });

  it("has a standard error where the answers of trees are sampled, and is within it of the truth", () => {
    const g = random(11);
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const POINTS: Readonly<Record<string, number>> = { w: 2, x: 0.7, y: -0.6, z: -2.1 };
    const rows = Array.from({ length: 600 }, () => {
      const row = Object.fromEntries(names.map((name) => [name, "wxyz"[g.integer(4)]]));
      const points = names.reduce((sum, name, i) => sum + POINTS[row[name]] * (i % 2 ? 1 : 2), 0);
      return { ...row, y: points + g.normal() > 0 ? "yes" : "no" };
    });
    const model = conformMixture(trainTrees(rows, { label: "y", maxIterations: 20 }), rows, {
      components: 2,
    });
    const known: Row = { f: "w" };
    const now = entropy(predict(model, known));
    const questions = askNext(model, known);
    expect(questions.some(({ error }) => (error ?? 0) > 0)).toBe(true);
    for (const { column, informationGain, error = 0 } of questions) {
      const imputed = impute(model, known)[column];
      if (imputed.kind !== "discrete") throw new Error("all columns are categories");
      const truth = Object.entries(imputed.probabilities).reduce(
        (sum, [value, p]) => sum + p * (now - entropy(predict(model, { ...known, [column]: value }))),
        0,
      );
      expect(Math.abs(informationGain - truth)).toBeLessThan(ERRORS * error + 1e-4);
      expect(error).toBeLessThan(0.01);
    }
  });
});

describe("interventional Shapley values", () => {
  it("have a standard error that covers rows too rare to have been drawn", () => {
    const classifier = createClassifier({
      schema: { columns: [{ name: "c", kind: "categorical", values: ["common", "rare"] }] },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, -10),
      weights: Float64Array.of(0, 0, 0, 20),
    });
    const rows = Array.from({ length: 200 }, (_, r): Row => ({ c: r < 6 ? "rare" : "common" }));
    const model = conform(classifier, rows);
    const truth = predict(model, { c: "common" }).yes - predict(model, {}).yes;
    for (let seed = 0; seed < 20; seed++) {
      const options = { game: "interventional", class: "yes", tolerance: 0.01, seed } as const;
      const [{ contribution, standardError = 0 }] = shapley(model, { c: "common" }, options).contributions;
      expect(Math.abs(contribution - truth)).toBeLessThan(ERRORS * standardError);
    }
  });
});
