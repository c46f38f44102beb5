import { dot } from "../math/dot.ts";
import type { Block } from "./block.ts";

/**
 * The Gaussian factor of a component, q(x) = N(x; μ, Σ) over the block. Given the class the block is again normal,
 * P(x | k) = N(μ + Σ w_k, Σ), as in linear discriminant analysis.
 */
export interface GaussianFactor {
  /** μ, n numbers. */
  readonly mean: Float64Array;
  /** Σ, n × n, symmetric and positive definite. */
  readonly covariance: Float64Array;
  /** log Z_k = log ∫ q(x) e^{w_k·x} dx = w_k·μ + ½ w_kᵀ Σ w_k: what the block is worth to class k when all of it is missing. */
  readonly logZ: Float64Array;
  /** Σ w_k, K × n: how class k moves the mean. */
  readonly tilts: Float64Array;
}

/** Completes a factor from its mean and the lower triangle of its covariance: rounding may have made the upper one another. */
export function createGaussianFactor(block: Block, mean: Float64Array, lower: Float64Array): GaussianFactor {
  const { weights, K } = block;
  const n = mean.length;
  const covariance = lower.map((value, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return j > i ? lower[j * n + i] : value;
  });
  const tilts = new Float64Array(K * n);
  const logZ = Float64Array.from({ length: K }, (_, k) => {
    const w = weights.subarray(k * n, (k + 1) * n);
    for (let i = 0; i < n; i++) tilts[k * n + i] = dot(covariance.subarray(i * n, (i + 1) * n), w);
    return dot(w, mean) + dot(w, tilts.subarray(k * n, (k + 1) * n)) / 2;
  });
  return { mean, covariance, logZ, tilts };
}

/** aᵀ M b for an n × n row-major matrix. */
export function quadratic(matrix: Float64Array, a: Float64Array, b: Float64Array): number {
  const n = a.length;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (a[i] === 0) continue;
    let row = 0;
    for (let j = 0; j < n; j++) row += matrix[i * n + j] * b[j];
    sum += a[i] * row;
  }
  return sum;
}
