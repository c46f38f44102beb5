import { describe, expect, it } from "vitest";
import {
  askNext,
  conform,
  conformMixture,
  howSure,
  predict,
  predictColumns,
  type Row,
  regress,
  sample,
  trainRegressor,
} from "../../src/index.ts";
import { normalBelow } from "../../src/math/normal.ts";
import { random } from "../../src/math/random.ts";
import { randomLinearModel, randomRow } from "../support/regression.ts";

/** Integration on a grid of 4001 points per missing number. */
const INTEGRATION = 1e-8;

/** log of the mixture's density of a complete row, from its parameters. */
function density(model: ReturnType<typeof randomLinearModel>, row: Row): number {
  const numbers = model.schema.columns.flatMap(({ kind, name }) =>
    kind === "numeric" ? [Number(row[name])] : [],
  );
  const n = numbers.length;
  return model.components.reduce((sum, { logWeight, logQ, gaussian }) => {
    if (!gaussian) throw new Error("a Gaussian is needed");
    const code = ["red", "green", "blue"].indexOf(String(row.color));
    const bit = model.atoms.offsets[n + 1] + Number(row.bit);
    // Two numbers: the density by hand.
    const [a, b, , d] = gaussian.covariance;
    const determinant = a * d - b * b;
    const [u, v] = [numbers[0] - gaussian.mean[0], numbers[1] - gaussian.mean[1]];
    const square = (d * u * u - 2 * b * u * v + a * v * v) / determinant;
    return (
      sum + Math.exp(logWeight + logQ[code] + logQ[bit] - square / 2) / (2 * Math.PI * Math.sqrt(determinant))
    );
  }, 0);
}

/** E[f | row] where x2 and the bit are missing, by the trapezoidal rule. */
function integral(model: ReturnType<typeof randomLinearModel>, row: Row): number {
  let [total, sum] = [0, 0];
  for (let j = 0; j <= 4000; j++) {
    for (const bit of [0, 1]) {
      const full = { ...row, x2: -30 + (60 * j) / 4000, bit };
      const p = density(model, full);
      total += p;
      sum += p * regress(model.predictor, full);
    }
  }
  return sum / total;
}

describe("numbers of a Gaussian", () => {
  for (const link of ["identity", "log", "logit", "probit"] as const) {
    it(`are integrated out: ${link}`, () => {
      const model = randomLinearModel({ seed: 11, link, gaussian: true, components: 3 });
      for (const x1 of [-1.5, 0.3, 2]) {
        const row = { color: "red", x1 };
        expect(Math.abs(predict(model, row) / integral(model, row) - 1)).toBeLessThan(INTEGRATION);
        const { values } = predictColumns(model, [row, { x1 }]);
        expect(Math.abs(values[0] / predict(model, row) - 1)).toBeLessThan(1e-11);
        expect(Math.abs(values[1] / predict(model, { x1 }) - 1)).toBeLessThan(1e-11);
      }
    });
  }

  it("have the closed form of a probit regression with one Gaussian", () => {
    const model = randomLinearModel({ seed: 12, link: "probit", gaussian: true, components: 1 });
    const { intercept, weights } = model.predictor;
    const { gaussian } = model.components[0];
    const row = { color: "blue", bit: 1 };
    if (!gaussian) throw new Error("a Gaussian is needed");
    const [w1, w2] = weights.subarray(3, 5);
    const mean = intercept + weights[2] + weights[5] + w1 * gaussian.mean[0] + w2 * gaussian.mean[1];
    const [a, b, , d] = gaussian.covariance;
    const variance = w1 * w1 * a + 2 * w1 * w2 * b + w2 * w2 * d;
    expect(predict(model, row)).toBeCloseTo(normalBelow(mean / Math.sqrt(1 + variance)), 12);
  });

  it("have an exact variance, interval and fall of the variance under one Gaussian", () => {
    const model = randomLinearModel({ seed: 13, link: "identity", gaussian: true, components: 1 });
    const { weights } = model.predictor;
    const { gaussian } = model.components[0];
    const row = { color: "blue", bit: 1, x1: 0.5 };
    if (!gaussian) throw new Error("a Gaussian is needed");
    const [a, b, , d] = gaussian.covariance;
    const deviation = Math.abs(weights[4]) * Math.sqrt(d - (b * b) / a);
    const sure = howSure(model, row, { coverage: 0.9 });
    expect(sure.standardDeviation.value / deviation).toBeCloseTo(1, 10);
    expect(sure.interval[1].value).toBeCloseTo(predict(model, row) + 1.6448536269514722 * deviation, 9);
    expect(sure.interval[0].method).toBe("exact");
    const [question] = askNext(model, row);
    expect(question.column).toBe("x2");
    expect(question.varianceReduction / deviation ** 2).toBeCloseTo(1, 10);
    expect(question.standardDeviation).toBeLessThan(1e-4 * deviation);
  });

  it("have the law of e^η that draws from the model have", () => {
    const model = randomLinearModel({ seed: 14, link: "log", gaussian: true, components: 2, scale: 0.4 });
    const row = { color: "red" };
    const drawn = sample(model, row, { count: 40_000, seed: 1 }).map((full) =>
      regress(model.predictor, full as Row),
    );
    const mean = drawn.reduce((sum, x) => sum + x, 0) / drawn.length;
    const deviation = Math.sqrt(drawn.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (drawn.length - 1));
    const sure = howSure(model, row);
    expect(Math.abs(sure.prediction - mean)).toBeLessThan((5 * deviation) / 200);
    expect(Math.abs(sure.standardDeviation.value / deviation - 1)).toBeLessThan(0.1);
    const below = drawn.filter((x) => x <= sure.interval[0].value).length / drawn.length;
    expect(Math.abs(below - 0.05)).toBeLessThan(0.006);
  });
});

/** Two numbers that go together, or do not, and a price made of them. */
function priced(count: number, correlation: number): Row[] {
  const g = random(5);
  return Array.from({ length: count }, () => {
    const size = g.normal();
    const rooms = correlation * size + Math.sqrt(1 - correlation ** 2) * g.normal();
    return { size, rooms, price: 100 + 20 * size + 10 * rooms + g.normal() };
  });
}

describe("Example 1 of the paper", () => {
  const mean = (rows: readonly Row[], name: string): number =>
    rows.reduce((sum, row) => sum + Number(row[name]) / rows.length, 0);

  it("holds: with independent features the expected number of a linear function is that of imputed means", () => {
    const rows = priced(400, 0.8);
    const regressor = trainRegressor(rows, { label: "price", l2: 0 });
    const model = conform(regressor, rows, { pseudocount: 0 });
    for (const { size } of rows.slice(0, 20)) {
      const imputed = regress(regressor, { size, rooms: mean(rows, "rooms") });
      expect(Math.abs(predict(model, { size }) / imputed - 1)).toBeLessThan(1e-12);
    }
  });

  it("ends where features are correlated, and the expected number is nearer to the truth", () => {
    const rows = priced(400, 0.8);
    const regressor = trainRegressor(rows, { label: "price", l2: 0 });
    const model = conformMixture(regressor, rows, { components: 1, numeric: "gaussian" });
    const rooms = mean(rows, "rooms");
    let [expected, imputed] = [0, 0];
    for (const row of priced(200, 0.8).slice(100)) {
      const truth = regress(regressor, { size: row.size, rooms: row.rooms });
      expected += (predict(model, { size: row.size }) - truth) ** 2;
      imputed += (regress(regressor, { size: row.size, rooms }) - truth) ** 2;
    }
    expect(expected).toBeLessThan(0.6 * imputed);
  });
});

describe("a mixture for a regressor", () => {
  it("is chosen by the squared error of the answers to masked rows", () => {
    const rows = priced(600, 0.9);
    const regressor = trainRegressor(rows, { label: "price" });
    const { certificate } = conformMixture(regressor, rows);
    const { choice } = certificate;
    if (!choice) throw new Error("a choice is recorded");
    const chosen = choice.curve[choice.chosen];
    expect(chosen.gaussian).toBeDefined();
    expect(chosen.crossEntropy).toBeUndefined();
    // A share of the answers' variance.
    expect(chosen.squaredError).toBeGreaterThan(0);
    expect(chosen.squaredError).toBeLessThan(1);
    for (const { squaredError } of choice.curve)
      expect(squaredError).toBeGreaterThanOrEqual((chosen.squaredError ?? 0) - 0.1);
  });

  it("takes rows with missing values", () => {
    const g = random(3);
    const rows = priced(300, 0.9);
    const regressor = trainRegressor(rows, { label: "price" });
    const incomplete = rows.map(({ size, rooms }) =>
      g.uniform() < 0.3 ? { size: null, rooms } : { size, rooms },
    );
    const model = conformMixture(regressor, incomplete, { components: 2 });
    expect(Number.isFinite(predict(model, {}))).toBe(true);
    expect(randomRow(model.schema, g, 1)).toBeDefined();
  });
});
