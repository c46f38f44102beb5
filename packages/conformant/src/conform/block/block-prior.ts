import type { GaussianFactor } from "../../gaussian/gaussian-factor.ts";
import { type BlockMoments, centralMoments } from "../../gaussian/moments.ts";
import { choleskyFactor, solveFactored } from "../../linalg/cholesky.ts";
import { triangle } from "../../linalg/triangle.ts";
import { dot } from "../../math/dot.ts";
import { HALF_LOG_TWO_PI } from "../../math/normal/normal.ts";
import type { FactorPrior } from "../factors/factor-in-fit.ts";
import type { BlockFrame } from "./block-frame.ts";
import { type BlockTarget, blockTarget } from "./block-target.ts";

/** The covariance of the prior's rows. */
function covarianceOf(
  { covariance, origin }: BlockFrame,
  { correlated }: FactorPrior,
  i: number,
  j: number,
): number {
  return covariance[i * origin.length + j] * (i === j ? 1 : correlated);
}

/** The moments that a component's Gaussian has to match: its rows' and the prior's together. */
export function shrunkTarget(
  { weight, sum, product }: BlockMoments,
  frame: BlockFrame,
  prior: FactorPrior,
): BlockTarget {
  const { rows, ridge } = prior;
  const { block, origin, scale } = frame;
  const n = origin.length;
  const all = product.slice();
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) all[triangle(i) + j] += rows * covarianceOf(frame, prior, i, j);
    all[triangle(i) + i] += ridge * scale[i];
  }
  const moments = centralMoments({ weight: weight + rows, sum, product: all }, origin);
  return blockTarget(block, moments.mean, moments.covariance);
}

/**
 * The logarithm of the prior, up to a constant: `rows` rows of the overall moments, E[log q(x)] each, and the ridge,
 * −½ ridge · tr( Σ⁻¹ diag(scale) ). Of these rows `pseudocount` per class belong to the class, E[log P(x | k)].
 */
export function blockLogPrior(
  { mean, covariance, logZ }: GaussianFactor,
  frame: BlockFrame,
  prior: FactorPrior,
): number {
  const { rows, ridge, pseudocount } = prior;
  const { block, origin, scale } = frame;
  const n = mean.length;
  const lower = covariance.slice();
  choleskyFactor(lower, n);
  let [logDeterminant, trace, ridged] = [0, 0, 0];
  const column = new Float64Array(n);
  const away = origin.map((x, i) => x - mean[i]);
  for (let j = 0; j < n; j++) {
    logDeterminant += 2 * Math.log(lower[j * n + j]);
    column.fill(0);
    column[j] = 1;
    solveFactored(lower, n, column); // column j of Σ⁻¹
    ridged += column[j] * scale[j];
    for (let i = 0; i < n; i++) trace += column[i] * (covarianceOf(frame, prior, i, j) + away[i] * away[j]);
  }
  const logQ = -(logDeterminant + trace) / 2 - n * HALF_LOG_TWO_PI;
  let classes = 0;
  for (let k = 0; k < logZ.length; k++)
    classes += dot(block.weights.subarray(k * n, (k + 1) * n), origin) - logZ[k];
  return rows * logQ + pseudocount * classes - (ridge * ridged) / 2;
}
