import type { Block } from "../gaussian/block.ts";
import { createGaussianFactor, type GaussianFactor, quadratic } from "../gaussian/gaussian-factor.ts";
import { dot } from "../math/dot.ts";
import { type ClassMoments, spectrumOf } from "./class-prior.ts";

/** The moments that a Gaussian factor has to match, and what the classes see of them. */
export interface BlockTarget extends ClassMoments {
  readonly block: Block;
  /** x̄, n numbers. */
  readonly mean: Float64Array;
  /** S, n × n. */
  readonly covariance: Float64Array;
}

/** Looks at the moments through the classifier's weights: all that choosing the class prior needs. */
export function blockTarget(block: Block, mean: Float64Array, covariance: Float64Array): BlockTarget {
  const { weights, K } = block;
  const n = mean.length;
  const w = Array.from({ length: K }, (_, k) => weights.subarray(k * n, (k + 1) * n));
  const gram = new Float64Array(K * K);
  for (let k = 0; k < K; k++) {
    for (let l = 0; l <= k; l++) gram[k * K + l] = gram[l * K + k] = quadratic(covariance, w[k], w[l]);
  }
  return { block, mean, covariance, offset: Float64Array.from(w, (own) => dot(own, mean)), gram };
}

/**
 * The factor whose moments match under class prior p: x̄ = μ + Σ w̄ and S = Σ + Σ C Σ with w̄ = Σ_k p_k w_k and C = Cov_p(w).
 * C has rank below K, so Σ differs from S by as much: with R the K × n matrix of rows √p_k (w_k − w̄)ᵀ S and
 * √p_k √p_l (w_k − w̄)ᵀ S (w_l − w̄) = Q diag(q) Qᵀ,
 *
 *     Σ = S − Rᵀ Q diag( 4 / (1 + √(1 + 4q))² ) Qᵀ R
 */
export function matchMoments(target: BlockTarget, prior: Float64Array): GaussianFactor {
  const { block, mean, covariance: S } = target;
  const { weights, K } = block;
  const n = mean.length;
  const average = new Float64Array(n);
  for (let k = 0; k < K; k++) for (let i = 0; i < n; i++) average[i] += prior[k] * weights[k * n + i];
  const { values, vectors } = spectrumOf(prior, target.gram);
  const covariance = Float64Array.from(S);
  const direction = new Float64Array(n);
  const row = new Float64Array(n);
  for (let j = 0; j < K; j++) {
    direction.fill(0);
    for (let k = 0; k < K; k++) {
      const share = vectors[k * K + j] * Math.sqrt(prior[k]);
      for (let i = 0; i < n; i++) direction[i] += share * (weights[k * n + i] - average[i]);
    }
    for (let i = 0; i < n; i++) row[i] = dot(S.subarray(i * n, (i + 1) * n), direction);
    const factor = 4 / (1 + Math.sqrt(1 + 4 * values[j])) ** 2;
    for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) covariance[a * n + b] -= factor * row[a] * row[b];
  }
  const centre = mean.map((x, i) => x - dot(covariance.subarray(i * n, (i + 1) * n), average));
  return createGaussianFactor(block, centre, covariance);
}

/**
 * How far a factor's moments are from the target's, in standard deviations: the largest |mean − x̄|_i / σ_i and
 * |covariance − S|_ij / (σ_i σ_j) of the distribution that factor and class prior make together.
 */
export function momentMismatch(target: BlockTarget, factor: GaussianFactor, prior: Float64Array): number {
  const { block, mean, covariance: S } = target;
  const { weights, K } = block;
  const n = mean.length;
  // Class means μ + Σ w_k less the target's mean.
  const away = new Float64Array(K * n);
  const average = new Float64Array(n);
  for (let k = 0; k < K; k++) {
    const own = weights.subarray(k * n, (k + 1) * n);
    for (let i = 0; i < n; i++) {
      away[k * n + i] = factor.mean[i] - mean[i] + dot(factor.covariance.subarray(i * n, (i + 1) * n), own);
      average[i] += prior[k] * away[k * n + i];
    }
  }
  let worst = 0;
  for (let i = 0; i < n; i++) {
    worst = Math.max(worst, Math.abs(average[i]) / Math.sqrt(S[i * n + i]));
    for (let j = 0; j <= i; j++) {
      let sum = factor.covariance[i * n + j] - S[i * n + j];
      for (let k = 0; k < K; k++)
        sum += prior[k] * (away[k * n + i] - average[i]) * (away[k * n + j] - average[j]);
      worst = Math.max(worst, Math.abs(sum) / Math.sqrt(S[i * n + i] * S[j * n + j]));
    }
  }
  return worst;
}
