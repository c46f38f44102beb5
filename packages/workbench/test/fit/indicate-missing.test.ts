import { random } from "conformant";
import { expect, test } from "vitest";
import { fitIndicatorWeights } from "../../src/fit/indicate-missing.ts";

/** Central differences of a sum of some hundred logarithms. */
const NUMERIC = 1e-6;

test.each([2, 3])("weights of indicators are a maximum of the penalized likelihood, with %i classes", (K) => {
  const g = random(K);
  const rows = Int32Array.from({ length: 200 }, (_, r) => r);
  const codes = Int32Array.from(rows, () => g.integer(K));
  const marks = [0.3, 0.5].map((share) => Int8Array.from(rows, () => Number(g.uniform() < share)));
  const logits = Array.from({ length: 4 }, () =>
    Float64Array.from({ length: rows.length * K }, () => g.normal()),
  );
  /** Σ log mean_d softmax_y( log F(x_d) + Σ v r ) − ½ ‖v‖². */
  const objective = (v: Float64Array): number => {
    let sum = -0.5 * v.reduce((total, w) => total + w * w, 0);
    for (const r of rows) {
      let mean = 0;
      for (const own of logits) {
        const scores = Array.from(
          { length: K },
          (_, k) => own[r * K + k] + marks[0][r] * v[k] + marks[1][r] * v[K + k],
        );
        mean +=
          Math.exp(scores[codes[r]]) / scores.reduce((total, s) => total + Math.exp(s), 0) / logits.length;
      }
      sum += Math.log(mean);
    }
    return sum;
  };
  const found = fitIndicatorWeights(logits, marks, codes, rows, K);
  const best = objective(found);
  for (let at = 0; at < found.length; at++) {
    if (K === 2 && at % 2 === 0) {
      expect(found[at]).toBe(0);
      continue;
    }
    const moved = (by: number): number => objective(found.map((x, i) => (i === at ? x + by : x)));
    expect(Math.abs(moved(1e-4) - moved(-1e-4)) / 2e-4).toBeLessThan(1e3 * NUMERIC);
    expect(moved(0.05)).toBeLessThan(best);
    expect(moved(-0.05)).toBeLessThan(best);
  }
  expect(fitIndicatorWeights(logits, [], codes, rows, K)).toHaveLength(0);
});
