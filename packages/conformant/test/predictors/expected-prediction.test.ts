import { describe, expect, it } from "vitest";
import { classify, expectedPrediction, predict } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { completed } from "../support/enumerate.ts";
import { expectError } from "../support/error.ts";
import { randomMixture, someOf } from "../support/random-mixture.ts";
import { randomClassifier, randomModel, randomRow } from "../support/random-model.ts";

const EXACT = 1e-10;

describe("the general expected prediction task (Definition 1)", () => {
  it("is the conformant prediction for the model's own classifier", () => {
    for (let seed = 0; seed < 30; seed++) {
      const model = randomMixture({ seed, columns: 6, classes: 2 + (seed % 3), components: 1 + (seed % 2) });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.5);
      const byFunction = expectedPrediction((full) => classify(model.predictor, full), model, row);
      const byClassifier = expectedPrediction(model.predictor, model, row);
      for (const [name, p] of Object.entries(predict(model, row))) {
        expect(Math.abs(byFunction[name].value - p)).toBeLessThan(EXACT);
        expect(Math.abs(byClassifier[name].value - p)).toBeLessThan(EXACT);
        expect(byFunction[name].method).toBe("exact");
      }
    }
  });

  it("takes any function of a row and weighs it as enumeration does", () => {
    const kinds = ["numeric", "binary", "categorical"] as const;
    const model = randomModel({ seed: 3, columns: 5, classes: 3, kinds });
    const row = someOf(randomRow(model, random(3)), random(3), 0.3);
    const f = (full: object): number =>
      Object.values(full).reduce((sum: number, x) => sum + String(x).length ** 2, 0);
    const expected = completed(model, row).reduce(
      (sum, { row: full, probability }) => sum + probability * f(full),
      0,
    );
    expect(expectedPrediction(f, model, row).value).toBeCloseTo(expected, 9);
    expect(expectedPrediction(() => 7, model, row).value).toBeCloseTo(7, 12);
  });

  it("brackets logistic regression over another naive Bayes model (Theorem 1) on the grid", () => {
    for (let seed = 0; seed < 40; seed++) {
      const model = randomMixture({
        seed,
        columns: 8,
        classes: 2 + (seed % 3),
        components: 1 + (seed % 2),
        kinds: ["binary"],
      });
      const other = randomClassifier({
        seed: seed + 999,
        columns: 8,
        classes: 2,
        kinds: ["binary"],
        scale: 2,
      });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.3);
      const truth = completed(model, row).reduce(
        (sum, { row: full, probability }) => sum + probability * classify(other, full)["class 1"],
        0,
      );
      const grid = expectedPrediction(other, model, row, { enumerate: 0 });
      const exact = expectedPrediction(other, model, row);
      expect(Math.abs(exact["class 1"].value - truth)).toBeLessThan(EXACT);
      expect(grid["class 1"].method).toBe("grid");
      expect(truth).toBeGreaterThanOrEqual(grid["class 1"].lower - EXACT);
      expect(truth).toBeLessThanOrEqual(grid["class 1"].upper + EXACT);
      expect(grid["class 1"].upper - grid["class 1"].lower).toBeLessThan(1e-3);
      expect(grid["class 0"].value + grid["class 1"].value).toBeCloseTo(1, 12);
    }
  });

  it("stays within a thousandth for 200 missing columns, where enumeration would take 2²⁰⁰ steps", () => {
    const model = randomModel({ seed: 1, columns: 200, classes: 2, kinds: ["binary"], scale: 0.3 });
    const own = expectedPrediction(model.predictor, model, {});
    expect(own["class 1"].upper - own["class 1"].lower).toBeLessThan(1e-3);
    const { "class 1": p } = predict(model, {});
    expect(p).toBeGreaterThanOrEqual(own["class 1"].lower);
    expect(p).toBeLessThanOrEqual(own["class 1"].upper);
  });

  it("draws with an honest standard error where it can do nothing else", () => {
    const model = randomModel({ seed: 6, columns: 30, classes: 3 });
    const estimate = expectedPrediction(
      (full) => classify(model.predictor, full),
      model,
      {},
      { samples: 4000 },
    );
    for (const [name, p] of Object.entries(predict(model, {}))) {
      const { value, standardError = 0, method } = estimate[name];
      expect(method).toBe("sampling");
      expect(standardError).toBeGreaterThan(0);
      expect(Math.abs(value - p)).toBeLessThan(4 * standardError);
    }
  });

  it("refuses answers that are no numbers and classifiers with other columns", () => {
    const model = randomModel({ seed: 6, columns: 3, classes: 2 });
    expectError(
      () => expectedPrediction(() => Number.NaN, model, {}),
      "invalid-argument",
      /predictor must answer a number/,
    );
    const other = randomClassifier({ seed: 1, columns: 5, classes: 2, kinds: ["binary"] });
    const trouble = (names: readonly string[]): unknown => {
      const columns = other.schema.columns.map((column, i) => ({ ...column, name: names[i] ?? column.name }));
      return expectedPrediction({ ...other, schema: { columns } }, model, {});
    };
    expectError(
      () => trouble(["age"]),
      "incompatible-marginals",
      /^column "age" of the classifier is not a column of the model;/,
    );
    const numeric = model.schema.columns.find(({ kind }) => kind !== "binary")?.name ?? "";
    expectError(
      () => trouble([numeric]),
      "incompatible-marginals",
      /of the classifier has other values or another kind in the model;/,
    );
  });
});
