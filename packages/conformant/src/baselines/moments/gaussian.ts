import { choleskyFactor } from "../../linalg/cholesky.ts";

/** A normal distribution over the slots of a row. */
export interface Gaussian {
  /** S numbers. */
  readonly mean: Float64Array;
  /** Σ, S × S row-major, positive definite. */
  readonly covariance: Float64Array;
  /** Λ = Σ⁻¹, S × S row-major. */
  readonly precision: Float64Array;
}

/** Completes a Gaussian from its mean and covariance, or undefined where the covariance is not positive definite. */
export function createGaussian(mean: Float64Array, covariance: Float64Array): Gaussian | undefined {
  const precision = inverse(covariance, mean.length);
  return precision && { mean, covariance, precision };
}

/** The inverse of a symmetric positive definite matrix: A = L Lᵀ, A⁻¹ = L⁻ᵀ L⁻¹. */
function inverse(a: Float64Array, n: number): Float64Array | undefined {
  const l = Float64Array.from(a);
  if (!choleskyFactor(l, n)) return undefined;
  const m = lowerInverse(l, n);
  const out = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i <= k; i++) {
      const f = m[k * n + i];
      if (f !== 0) for (let j = 0; j <= i; j++) out[i * n + j] += f * m[k * n + j];
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) out[j * n + i] = out[i * n + j];
  return out;
}

/** L⁻¹ of a lower triangular matrix, row by row: row i is (e_i − Σ_{j<i} L_ij · row j) / L_ii. */
function lowerInverse(l: Float64Array, n: number): Float64Array {
  const m = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const f = l[i * n + j];
      if (f !== 0) for (let c = 0; c <= j; c++) m[i * n + c] -= f * m[j * n + c];
    }
    m[i * n + i] = 1;
    for (let c = 0; c <= i; c++) m[i * n + c] /= l[i * n + i];
  }
  return m;
}
