import { triangle } from "../linalg/triangle.ts";
import type { Block, Pattern } from "./block.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";

/** Four components side by side, so that one pass over a pattern serves all of them: every number stands in lanes of four. */
export interface FourFactors {
  readonly factors: readonly GaussianFactor[];
  /** How many of the four are there; the last of all stands in for the others. */
  readonly lanes: number;
  /** μ, n × 4. */
  readonly mean: Float64Array;
  /** The lower triangle of Σ row by row, then (Σ w_k)ᵀ for each weighted class: rows of {@link laneRow}. */
  readonly matrix: Float64Array;
}

/** Where row i starts in a matrix of lanes over n columns: rows below n are those of a lower triangle, later ones have n numbers. */
export function laneRow(n: number, i: number): number {
  return i < n ? 4 * triangle(i) : 4 * (triangle(n) + (i - n) * n);
}

/** All factors of a mixture, four by four. */
export function inFours(factors: readonly GaussianFactor[], classes: Int32Array): FourFactors[] {
  const last = factors.length - 1;
  return Array.from({ length: Math.ceil(factors.length / 4) }, (_, f) => {
    const four = [0, 1, 2, 3].map((lane) => factors[Math.min(4 * f + lane, last)]);
    return interleave(four, Math.min(4, factors.length - 4 * f), classes);
  });
}

function interleave(factors: readonly GaussianFactor[], lanes: number, classes: Int32Array): FourFactors {
  const n = factors[0].mean.length;
  const mean = new Float64Array(4 * n);
  const matrix = new Float64Array(laneRow(n, n + classes.length));
  factors.forEach((factor, lane) => {
    for (let i = 0; i < n; i++) {
      mean[4 * i + lane] = factor.mean[i];
      for (let j = 0; j <= i; j++) matrix[laneRow(n, i) + 4 * j + lane] = factor.covariance[i * n + j];
      for (let t = 0; t < classes.length; t++)
        matrix[laneRow(n, n + t) + 4 * i + lane] = factor.tilts[classes[t] * n + i];
    }
  });
  return { factors, lanes, mean, matrix };
}

/** The classes to which the block matters: those with a weight that is not 0. */
export function weightedClasses({ weights, K, columns }: Block): Int32Array {
  const n = columns.length;
  const classes = Array.from({ length: K }, (_, k) => k);
  return Int32Array.from(classes.filter((k) => weights.subarray(k * n, (k + 1) * n).some((w) => w !== 0)));
}

/** Whether a hidden cell counts for class k. */
export function isTilted({ weights, columns }: Block, { hidden }: Pattern, k: number): boolean {
  const start = k * columns.length;
  for (let a = 0; a < hidden.length; a++) if (weights[start + hidden[a]] !== 0) return true;
  return false;
}
