import { describe, expect, it } from "vitest";
import {
  askNext,
  explain,
  howSure,
  loadAnyModel,
  loadModel,
  loadRegressionModel,
  type NumberLink,
  predict,
  predictColumns,
  predictRow,
  type RegressionModel,
  type Row,
  regress,
  saveModel,
  sensitivity,
  shapley,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { quantileOf } from "../support/enumerate.ts";
import { completedNumbers, randomLinearModel, randomRow, truthOf } from "../support/regression.ts";

/** Sums of products in another order. */
const ROUNDING = 1e-12;
const LINKS: readonly NumberLink[] = ["identity", "log", "logit", "probit"];

/** Rows with some values missing. */
function rowsOf(model: RegressionModel, count: number, chance = 0.5): Row[] {
  const g = random(7);
  return Array.from({ length: count }, () => randomRow(model.schema, g, chance));
}

/** The share of all orders of `n` columns in which a certain set of `size` comes right before a certain other column. */
function shareOfOrders(size: number, n: number): number {
  const factorial = (m: number): number => (m < 2 ? 1 : m * factorial(m - 1));
  return (factorial(size) * factorial(n - size - 1)) / factorial(n);
}

const near = (value: number, truth: number, tolerance = ROUNDING): void =>
  expect(Math.abs(value - truth) / Math.max(1, Math.abs(truth))).toBeLessThan(tolerance);

describe("the expected number of a linear regressor", () => {
  for (const link of LINKS) {
    for (const components of [1, 4]) {
      it(`is the mean over all completions: ${link}, ${components} components`, () => {
        const model = randomLinearModel({ seed: 3, link, components });
        for (const row of rowsOf(model, 12)) near(predict(model, row), truthOf(model, row).mean);
        near(predict(model, {}), truthOf(model, {}).mean);
      });
    }
    it(`is the regressor's own number where nothing is missing, to the last bit: ${link}`, () => {
      for (const gaussian of [false, true]) {
        const model = randomLinearModel({ seed: 4, link, gaussian });
        const rows = rowsOf(model, 20, 2);
        const { values } = predictColumns(model, [...rows, {}]);
        rows.forEach((row, r) => {
          expect(predict(model, row)).toBe(regress(model.predictor, row));
          expect(values[r]).toBe(regress(model.predictor, row));
        });
      }
    });
  }

  it("keeps its digits for large and small units", () => {
    for (const scale of [1e-6, 1e6]) {
      const model = randomLinearModel({ seed: 5, link: "identity", scale, components: 3 });
      for (const row of rowsOf(model, 8))
        expect(Math.abs(predict(model, row) / truthOf(model, row).mean - 1)).toBeLessThan(1e-10);
    }
  });

  it("is the same for one row and for many", () => {
    for (const link of LINKS) {
      const model = randomLinearModel({ seed: 6, link, components: 3 });
      const rows = rowsOf(model, 30);
      const { values, standardErrors } = predictColumns(model, rows);
      rows.forEach((row, r) => {
        near(values[r], predict(model, row));
        if (standardErrors) expect(standardErrors[r]).toBe(0);
      });
    }
  });

  it("has the variance, quantiles and shares of all completions", () => {
    for (const link of LINKS) {
      const model = randomLinearModel({ seed: 8, link, components: 3 });
      for (const row of rowsOf(model, 6)) {
        const all = completedNumbers(model, row);
        const { mean, variance } = truthOf(model, row);
        const sure = howSure(model, row, { coverage: 0.8, threshold: mean });
        near(sure.standardDeviation.value, Math.sqrt(variance), 1e-9);
        near(sure.interval[0].value, quantileOf(all, 0.1));
        near(sure.interval[1].value, quantileOf(all, 0.9));
        const share = all.reduce(
          (sum, { probability, value }) => (value >= mean ? sum + probability : sum),
          0,
        );
        near(sure.reachesThreshold?.value ?? Number.NaN, share, 1e-9);
      }
    }
  });
});

describe("questions about a number", () => {
  const model = randomLinearModel({ seed: 9, link: "identity", components: 3 });
  const row = { color: "green", x1: 0.4 };
  const complete = { color: "green", x1: 0.4, x2: -0.7, bit: 1 };

  it("shares the number out by Shapley values of expected numbers", () => {
    const found = shapley(model, complete);
    expect(found.method).toBe("exact");
    near(found.baseline, predict(model, {}));
    near(found.total, regress(model.predictor, complete));
    near(
      found.contributions.reduce((sum, { contribution }) => sum + contribution, found.baseline),
      found.total,
    );
    const drawn = shapley(model, complete, { game: "interventional" });
    near(
      drawn.contributions.reduce((sum, { contribution }) => sum + contribution, drawn.baseline),
      drawn.total,
    );
  });

  it("shares out as over all sets of drawn columns, within stated errors that follow the unit", () => {
    for (const [link, scale] of [
      ["identity", 1e6],
      ["log", 0.3],
    ] as const) {
      const own = randomLinearModel({ seed: 5, link, scale });
      const all = completedNumbers(own, {});
      const deviation = Math.sqrt(truthOf(own, {}).variance);
      for (const row of rowsOf(own, 1, 2)) {
        const names = Object.keys(row);
        const worth = (set: number): number => {
          const known = names.filter((_, j) => (set >> j) & 1).map((name) => [name, row[name]]);
          return all.reduce(
            (sum, { probability, row: other }) =>
              sum + probability * regress(own.predictor, { ...other, ...Object.fromEntries(known) }),
            0,
          );
        };
        const worths = Array.from({ length: 2 ** names.length }, (_, set) => worth(set));
        const found = shapley(own, row, { game: "interventional" });
        expect(found.converged).toBe(true);
        for (const { column, contribution, standardError = 0 } of found.contributions) {
          const bit = 1 << names.indexOf(column);
          const truth = worths.reduce((sum, value, set) => {
            if (set & bit) return sum;
            const size = names.filter((_, j) => (set >> j) & 1).length;
            return sum + (worths[set | bit] - value) * shareOfOrders(size, names.length);
          }, 0);
          expect(Math.abs(contribution - truth)).toBeLessThan(5 * standardError);
          expect(standardError).toBeLessThanOrEqual(0.0101 * deviation);
        }
        expect(Math.abs(found.baseline - worths[0])).toBeLessThan(0.05 * deviation);
      }
    }
  });

  it("explains by what each column adds, and finds a smallest sufficient set", () => {
    const found = explain(model, complete, { timeLimit: 10 });
    expect(found.prediction).toBe(regress(model.predictor, complete));
    near(found.prior, predict(model, {}));
    for (const { column, effect } of found.contributions) {
      const { [column]: _, ...without } = complete as Record<string, string | number>;
      near(effect, found.prediction - predict(model, without));
      expect(found.raises.includes(column)).toBe(effect > 0);
      expect(found.lowers.includes(column)).toBe(effect < 0);
    }
    near(found.path[found.path.length - 1].prediction, found.prediction);
    const kept = Object.fromEntries(
      Object.entries(complete).filter(([name]) => found.sufficient.includes(name)),
    );
    near(found.sufficientPrediction, predict(model, kept));
    expect(Math.abs(predict(model, kept) - found.prediction)).toBeLessThanOrEqual(found.within ?? 0);
    expect(found.status).toBe("optimal");
    // No smaller set does.
    const names = Object.keys(complete);
    for (let set = 0; set < 2 ** names.length; set++) {
      const some = names.filter((_, j) => (set >> j) & 1);
      if (some.length >= found.sufficient.length) continue;
      const part = Object.fromEntries(some.map((name) => [name, complete[name as keyof typeof complete]]));
      expect(Math.abs(predict(model, part) - found.prediction)).toBeGreaterThan(found.within ?? 0);
    }
    const side = explain(model, complete, { threshold: found.prior, timeLimit: 10 });
    expect(side.sufficientPrediction >= found.prior).toBe(found.prediction >= found.prior);
  });

  it("asks for the column by which the variance is expected to fall most", () => {
    for (const question of askNext(model, row)) {
      const all = completedNumbers(model, row);
      const { mean, variance } = truthOf(model, row);
      const byValue = new Map<unknown, { p: number; sum: number }>();
      for (const { row: full, probability, value } of all) {
        const own = byValue.get(full[question.column]) ?? { p: 0, sum: 0 };
        byValue.set(full[question.column], { p: own.p + probability, sum: own.sum + probability * value });
      }
      let reduction = 0;
      for (const { p, sum } of byValue.values()) reduction += p * (sum / p - mean) ** 2;
      near(question.varianceReduction, reduction);
      near(question.standardDeviation, Math.sqrt(variance - reduction), 1e-9);
    }
  });

  it("finds the range that missing values not at random give, and the tilt that crosses a threshold", () => {
    const found = sensitivity(model, row, { threshold: predict(model, row) + 0.2 });
    expect(found.prediction).toBe(predict(model, row));
    for (const { range } of found.tilts) expect(range.every(Number.isFinite)).toBe(true);
    expect(found.tilts.some(({ tilt }) => typeof tilt === "number")).toBe(true);
  });

  it("reads back from a model file to the same bits", () => {
    for (const link of LINKS) {
      const own = randomLinearModel({ seed: 2, link, gaussian: true });
      const text = saveModel(own);
      const read = loadRegressionModel(text);
      expect(saveModel(read)).toBe(text);
      expect(predict(read, row)).toBe(predict(own, row));
      expect(predictRow(read, row).value).toBe(predict(own, row));
      expect(loadAnyModel(text).response).toEqual({ kind: "number", outputs: ["price"] });
      expect(() => loadModel(text)).toThrow(
        /needs a model of classes, got one that predicts the number "price"/,
      );
    }
  });
});
