import { describe, expect, test } from "vitest";
import {
  calibrate,
  conformMixture,
  howSure,
  loadNumberCalibration,
  predict,
  predictionInterval,
  predictionIntervals,
  type Row,
  random,
  saveCalibration,
  trainRegressor,
  trainTreeRegressor,
} from "../../src/index.ts";
import { expectError } from "../support/error.ts";

/** Correlated numbers and a category; the noise of y grows with x. */
function rowsOf(count: number, seed: number): Row[] {
  const { normal, uniform } = random(seed);
  return Array.from({ length: count }, () => {
    const x = normal();
    const z = x + normal();
    const c = uniform() < 0.3 ? "a" : "b";
    return { x, z, c, y: 2 * x - z + (c === "a" ? 3 : 0) + normal() * (0.5 + Math.abs(x)) };
  });
}

const quick = { components: 2, maxIterations: 5, restarts: 1, numeric: "gaussian" } as const;
const training = rowsOf(400, 1);
const linear = conformMixture(trainRegressor(training, { label: "y" }), training, quick);
const calibration = calibrate(linear, rowsOf(999, 2));
const test_ = rowsOf(2000, 3);

/** Rows with only some of their columns. */
function masked(rows: readonly Row[], known: readonly string[]): Row[] {
  return rows.map((row) => Object.fromEntries(known.map((name) => [name, row[name]])));
}

describe("a prediction interval", () => {
  test("is the expected answer and a quantile of the residuals under the row's mask, in units of the spread", () => {
    const row = { z: 1.3 };
    const { value, lower, upper, calibrationRows } = predictionInterval(linear, calibration, row);
    expect(value).toBe(predict(linear, row));
    expect(calibrationRows).toBe(999);
    // Every row of this mask has a spread of its own: that of a mixture given z.
    const widths = [-2, 0, 4].map((z) => {
      const own = predictionInterval(linear, calibration, { z });
      return own.upper - own.lower;
    });
    expect(new Set(widths).size).toBe(3);
    // The number itself is within the interval for ⌈1000 · 0.9⌉ of the calibration rows.
    const rows = rowsOf(999, 2);
    const own = predictionIntervals(linear, calibration, masked(rows, ["z"]));
    const inside = rows.filter(({ y }, r) => Number(y) >= own.lower[r] && Number(y) <= own.upper[r]);
    expect(inside.length).toBe(900);
    expect(upper - value).toBeCloseTo(value - lower, 12);
  });

  test.each([
    ["linear", linear, 2000],
    [
      "boosted",
      conformMixture(trainTreeRegressor(training, { label: "y", maxIterations: 12 }), training, quick),
      300,
    ],
  ])("covers 90 percent of new rows whatever is missing: %s", (_, model, count) => {
    const own = calibrate(model, rowsOf(399, 2));
    const rows = test_.slice(0, count);
    for (const known of [["x", "z", "c"], ["z", "c"], ["x"], ["c"], []]) {
      const { lower, upper } = predictionIntervals(model, own, masked(rows, known));
      const share = rows.filter(({ y }, r) => Number(y) >= lower[r] && Number(y) <= upper[r]).length / count;
      // Four standard deviations of a share of rows, and of the quantile of 399.
      expect(Math.abs(share - 0.9), known.join()).toBeLessThan(4 * Math.sqrt(0.09 / count + 0.09 / 399));
    }
  });

  test("is wider than the range of the answer, which leaves the noise out", () => {
    const { lower, upper } = predictionInterval(linear, calibration, { x: 1 });
    const [low, high] = howSure(linear, { x: 1 }, { coverage: 0.9 }).interval;
    expect(upper - lower).toBeGreaterThan(high.value - low.value);
  });

  test("has no bounds where too few rows are known, and starts at 0 for counts", () => {
    const few = calibrate(linear, rowsOf(8, 4));
    expect(predictionInterval(linear, few, {})).toMatchObject({
      lower: Number.NEGATIVE_INFINITY,
      upper: Number.POSITIVE_INFINITY,
      enough: false,
    });
    const counts = training.map((row) => ({ ...row, y: Math.round(Math.abs(Number(row.y))) }));
    const poisson = conformMixture(trainRegressor(counts, { label: "y", family: "poisson" }), counts, quick);
    expect(predictionInterval(poisson, calibrate(poisson, counts), {}).lower).toBe(0);
  });

  test("comes back from a file the same, and belongs to its model", () => {
    const text = saveCalibration(calibration);
    const read = loadNumberCalibration(text);
    expect(saveCalibration(read)).toBe(text);
    expect(predictionInterval(linear, read, { x: 1 })).toEqual(
      predictionInterval(linear, calibration, { x: 1 }),
    );
    const other = conformMixture(trainRegressor(training, { label: "y", l2: 9 }), training, quick);
    expectError(
      () => predictionInterval(other, calibration, {}),
      "calibration-mismatch",
      /is for a model with/,
    );
    expectError(
      () => loadNumberCalibration(text.replace('"version":2', '"version":1')),
      "calibration-format",
      /holds classes, expected numbers/,
    );
  });
});
