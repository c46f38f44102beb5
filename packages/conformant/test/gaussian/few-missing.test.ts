import { describe, expect, it } from "vitest";
import { applyConditional, condition, conditionMissing } from "../../src/gaussian/condition.ts";
import { hasFewMissing, inverseOf } from "../../src/gaussian/few-missing.ts";
import {
  createGaussian,
  type Gaussian,
  type GaussianColumns,
  patternOf,
} from "../../src/gaussian/gaussian.ts";
import { manyRows } from "../../src/gaussian/many-rows.ts";
import { createScorer } from "../../src/gaussian/score-rows.ts";
import { random } from "../../src/math/random.ts";

const [n, K, M, ROWS] = [40, 3, 5, 60];

/** A Gaussian of five hidden numbers and noise; the last two columns are equal but for the noise. */
function makeGaussian(columns: GaussianColumns, noise: number, seed: number): Gaussian {
  const g = random(seed);
  const loadings = Array.from({ length: n }, () => Float64Array.from({ length: 5 }, () => g.normal()));
  loadings[n - 1] = loadings[n - 2];
  const covariance = Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return loadings[i].reduce((sum, x, c) => sum + x * loadings[j][c], i === j ? noise : 0);
  });
  return createGaussian(
    columns,
    Float64Array.from({ length: n }, () => g.normal()),
    covariance,
  );
}

function makeColumns(): GaussianColumns {
  const g = random(1);
  const weights = Float64Array.from({ length: K * n }, (_, at) => (at < n ? 0 : g.normal() / 4));
  return { columns: Int32Array.from({ length: n }, (_, i) => i), weights, K };
}

/** Rows that lack one to thirteen numbers, no two of them the same ones; the last two are equal where both are known. */
function makeCells(noise: number): Float64Array {
  const g = random(2);
  const cells = new Float64Array(ROWS * n);
  for (let r = 0; r < ROWS; r++) {
    for (let i = 0; i < n; i++) cells[r * n + i] = g.normal();
    cells[r * n + n - 1] = cells[r * n + n - 2] + Math.sqrt(noise) * g.normal();
    for (let a = 0; a <= r % 13; a++) cells[r * n + g.integer(n)] = Number.NaN;
  }
  return cells;
}

describe("rows with few missing values of many columns", () => {
  it.each([
    [0.5, 1e-11],
    [1e-6, 1e-8],
  ])("score as by a Cholesky factor of their known columns, noise %d", (noise, tolerance) => {
    const columns = makeColumns();
    const gaussians = Array.from({ length: M }, (_, m) => makeGaussian(columns, noise, 10 + m));
    const cells = makeCells(noise);
    const [density, shift] = [new Float64Array(ROWS * M), new Float64Array(ROWS * M * K)];
    createScorer(columns, gaussians).score(cells, ROWS, density, shift, manyRows);
    const near = (ours: number, theirs: number): void =>
      expect(Math.abs(ours - theirs) / Math.max(1, Math.abs(theirs))).toBeLessThan(tolerance);
    for (let r = 0; r < ROWS; r++) {
      const pattern = patternOf(cells, r * n, n);
      const h = pattern.hidden.length;
      expect(hasFewMissing(n, h)).toBe(true);
      gaussians.forEach((gaussian, m) => {
        const given = condition(columns, gaussian, pattern);
        const { logDensity, mean } = applyConditional(given, gaussian, pattern, cells, r * n);
        near(density[r * M + m], logDensity);
        const few = conditionMissing(columns, gaussian, pattern);
        const ours = new Float64Array(h);
        few.meanInto(cells, r * n, ours);
        ours.forEach((x, a) => {
          near(x, mean[a]);
        });
        few.covariance.forEach((x, at) => {
          near(x, given.covariance[at]);
        });
        for (let k = 0; k < K; k++) {
          let worth = 0;
          for (let a = 0; a < h; a++) {
            near(few.shift[k * h + a], given.shift[k * h + a]);
            worth += columns.weights[k * n + pattern.hidden[a]] * (mean[a] + given.shift[k * h + a] / 2);
          }
          near(shift[(r * M + m) * K + k], worth);
        }
      });
    }
  });

  it("go through an inverse whose product with the covariance is the identity", () => {
    const gaussian = makeGaussian(makeColumns(), 0.5, 3);
    const { precision } = inverseOf(gaussian);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let c = 0; c < n; c++) sum += precision[i * n + c] * gaussian.covariance[c * n + j];
        expect(sum).toBeCloseTo(i === j ? 1 : 0, 10);
      }
    }
  });
});
