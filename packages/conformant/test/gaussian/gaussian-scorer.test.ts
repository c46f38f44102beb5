import { describe, expect, it } from "vitest";
import { applyConditional, condition } from "../../src/gaussian/condition.ts";
import {
  createGaussian,
  type Gaussian,
  type GaussianColumns,
  patternOf,
} from "../../src/gaussian/gaussian.ts";
import { manyRows } from "../../src/gaussian/many-rows.ts";
import type { ScoringContext } from "../../src/gaussian/patterns.ts";
import { createScorer } from "../../src/gaussian/score-rows.ts";
import { plainContext } from "../../src/kernels/context.ts";
import { random } from "../../src/math/random.ts";

const [n, K, M, ROWS] = [9, 3, 6, 400];

/** Factors whose last two columns are equal but for the ridge, about an origin. */
function makeGaussians(
  ridge: number,
  origin: number,
): { gaussianColumns: GaussianColumns; factors: Gaussian[] } {
  const g = random(5);
  const weights = Float64Array.from({ length: K * n }, (_, at) => (at < n ? 0 : g.normal()));
  const gaussianColumns: GaussianColumns = {
    columns: Int32Array.from({ length: n }, (_, i) => i),
    weights,
    K,
  };
  const factors = Array.from({ length: M }, () => {
    const mix = Array.from({ length: n }, () => Float64Array.from({ length: n }, () => g.normal()));
    mix[n - 1] = mix[n - 2];
    const covariance = Float64Array.from({ length: n * n }, (_, at) => {
      const [i, j] = [Math.floor(at / n), at % n];
      return mix[i].reduce((sum, x, c) => sum + x * mix[j][c], i === j ? ridge : 0);
    });
    const mean = Float64Array.from({ length: n }, () => origin + g.normal());
    return createGaussian(gaussianColumns, mean, covariance);
  });
  return { gaussianColumns, factors };
}

/** Rows about an origin, the last two columns equal, with the gaps of `patternNumber`. */
function makeCells(origin: number, patternNumber: (row: number) => number): Float64Array {
  const g = random(8);
  const cells = new Float64Array(ROWS * n);
  for (let r = 0; r < ROWS; r++) {
    const gaps = random(100 + patternNumber(r));
    for (let i = 0; i < n; i++) cells[r * n + i] = i === n - 1 ? cells[r * n + i - 1] : origin + g.normal();
    for (let i = 0; i < n; i++) if (gaps.uniform() < 0.4) cells[r * n + i] = Number.NaN;
  }
  return cells;
}

/** The largest difference from conditioning each factor on each row by itself, relative where numbers are large. */
function largestDifference(
  ridge: number,
  origin: number,
  patternNumber: (row: number) => number,
  context: ScoringContext,
): number {
  const { gaussianColumns, factors } = makeGaussians(ridge, origin);
  const cells = makeCells(origin, patternNumber);
  const [density, shift] = [new Float64Array(ROWS * M), new Float64Array(ROWS * M * K)];
  createScorer(gaussianColumns, factors).score(cells, ROWS, density, shift, context);
  let largest = 0;
  const compare = (ours: number, theirs: number): void => {
    largest = Math.max(largest, Math.abs(ours - theirs) / Math.max(1, Math.abs(theirs)));
  };
  for (let r = 0; r < ROWS; r++) {
    const pattern = patternOf(cells, r * n, n);
    factors.forEach((factor, m) => {
      const conditional = condition(gaussianColumns, factor, pattern);
      const { logDensity, mean } = applyConditional(conditional, factor, pattern, cells, r * n);
      compare(density[r * M + m], logDensity);
      for (let k = 0; k < K; k++) {
        const h = pattern.hidden.length;
        const worth = pattern.hidden.reduce(
          (sum, i, a) =>
            sum + gaussianColumns.weights[k * n + i] * (mean[a] + conditional.shift[k * h + a] / 2),
          0,
        );
        compare(shift[(r * M + m) * K + k], worth);
      }
    });
  }
  return largest;
}

describe("scoring the rows of a Gaussian gaussianColumns", () => {
  it.each([
    ["each with its own gaps", (r: number) => r],
    ["with shared gaps", (r: number) => r % 7],
    ["of both sorts", (r: number) => (r % 2 ? r : r % 14)],
  ])("agrees with one row and factor at a time: %s", (_, patternNumber) => {
    for (const context of [plainContext, manyRows]) {
      expect(largestDifference(0.1, 0, patternNumber, context)).toBeLessThan(1e-11);
      expect(largestDifference(1e-6, 0, patternNumber, context)).toBeLessThan(1e-8);
      expect(largestDifference(0.1, 1e4, patternNumber, context)).toBeLessThan(1e-8);
    }
  });
});
