import { expect, it } from "vitest";
import { expectedLogistic } from "../../src/math/expected-logistic.ts";
import { logistic } from "../../src/math/softmax.ts";

/** Both sums are of a hundred or more terms, each with its rounding. */
const ROUNDING = 1e-13;

/** The same expectation by a sum so fine that its error is none. */
function bySum(mean: number, deviation: number): number {
  const step = Math.min(0.25, 0.2 / deviation);
  const half = Math.ceil(9 / step);
  let [sum, total] = [0, 0];
  for (let j = -half; j <= half; j++) {
    const weight = Math.exp((-j * step * j * step) / 2);
    sum += weight * logistic(mean + deviation * j * step);
    total += weight;
  }
  return sum / total;
}

it.each([0.1, 1, 5.9, 6, 6.1, 30, 300, 3000])("is E[σ(μ + sZ)] for s = %d", (deviation) => {
  for (const mean of [0, 1, -3, 20, -40, 500, -900])
    expect(Math.abs(expectedLogistic(mean, deviation) - bySum(mean, deviation))).toBeLessThan(ROUNDING);
});

it("costs no more for deviations of any size", () => {
  expect(expectedLogistic(-2, 1e70)).toBeCloseTo(0.5, 12);
  expect(expectedLogistic(1e80, 1e70)).toBe(1);
  expect(expectedLogistic(1e12, 1e12)).toBeCloseTo(0.8413447460685429, 12); // Φ(1)
});
