import { expect, test } from "vitest";
import { score } from "../../src/evaluate/metrics.ts";
import { addReliability, calibrationError, reliability } from "../../src/verdict/reliability.ts";

/** Rounding of sums of a few numbers. */
const ROUNDING = 1e-12;

/** As scikit-learn 1.2.1 has them: log_loss, brier_score_loss (of two classes, both counted), f1_score(average="weighted"). */
test("scores are those of scikit-learn", () => {
  const positive = [0.9, 0.35, 0.6, 0.2, 0.75, 0.5, 0.05, 0.65];
  const labels = [1, 0, 0, 0, 1, 1, 0, 1];
  const probabilities = Float64Array.from(positive.flatMap((p) => [1 - p, p]));
  const { accuracy, weightedF1, logLoss, brier } = score(probabilities, labels, probabilities, 2);
  expect(accuracy).toBe(0.875);
  expect(weightedF1).toBeCloseTo(0.873015873015873, 12);
  expect(logLoss).toBeCloseTo(0.392310397303797, 12);
  expect(brier).toBeCloseTo(2 * 0.12125, 12);
});

test("the calibration error is the mean distance of bins from the diagonal", () => {
  // Three answers of 0.72 of which two are right, and one of 0.95 that is wrong.
  const probabilities = Float64Array.of(0.72, 0.28, 0.72, 0.28, 0.72, 0.28, 0.05, 0.95);
  const bins = reliability(probabilities, [0, 0, 1, 0], 2);
  expect(bins.rows[7]).toBe(3);
  expect(bins.rows[9]).toBe(1);
  const expected = (3 * Math.abs(2 / 3 - 0.72) + 0.95) / 4;
  expect(Math.abs(calibrationError(bins) - expected)).toBeLessThan(ROUNDING);
  expect(calibrationError(addReliability([bins, bins]))).toBeCloseTo(expected, 12);
});

test("a probability of 1 is in the last bin, and an answer that is always right as it says has no error", () => {
  const bins = reliability(Float64Array.of(1, 0, 0, 1), [0, 1], 2);
  expect(bins.rows[9]).toBe(2);
  expect(calibrationError(bins)).toBe(0);
});
