import { choleskyRoot, triangle } from "../math/cholesky.ts";
import { HALF_LOG_TWO_PI } from "../math/normal.ts";
import { orthogonaliseColumns } from "../math/orthogonalize.ts";
import { dot } from "../math/vectors.ts";
import { type ClassMoments, spreadOf } from "./class-prior.ts";
import type { FactorPrior } from "./factor-in-fit.ts";
import { inverseOf } from "./few-missing.ts";
import { analyzeFactors, type Factors, matchFactors, scaleByFactors } from "./fit-low-rank.ts";
import type { GaussianFrame } from "./frame.ts";
import { createGaussian, type Gaussian, type GaussianColumns } from "./gaussian.ts";
import { expandLowRank, invertLowRank } from "./low-rank.ts";
import { centralMoments, type GaussianMoments } from "./moments.ts";

/** The moments that a Gaussian factor has to match, and what the classes see of them. */
export interface GaussianTarget extends ClassMoments {
  readonly gaussianColumns: GaussianColumns;
  /** x̄, n numbers. */
  readonly mean: Float64Array;
  /** S, n × n. */
  readonly covariance: Float64Array;
  /** What S is made of. */
  readonly parts: FullParts | Factors;
}

/** Any covariance. */
interface FullParts {
  /** L with S = L Lᵀ, n × n, zero above the diagonal. */
  readonly root: Float64Array;
  /** w_kᵀ L, K × n. */
  readonly scaled: Float64Array;
}

/** Looks at the moments through the classifier's weights: all that choosing the class prior needs. */
function gaussianTarget(
  gaussianColumns: GaussianColumns,
  mean: Float64Array,
  covariance: Float64Array,
  factors: Factors | undefined,
): GaussianTarget {
  const { weights, K } = gaussianColumns;
  const n = mean.length;
  const offset = Float64Array.from({ length: K }, (_, k) => dot(weights.subarray(k * n, (k + 1) * n), mean));
  const own = { gaussianColumns, mean, covariance, offset };
  if (factors) return { ...own, parts: factors, places: placesOf(scaleByFactors(weights, K, factors), K) };
  const root = choleskyRoot(covariance, n);
  const scaled = new Float64Array(K * n);
  for (let k = 0; k < K; k++) {
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) scaled[k * n + j] += weights[k * n + i] * root[i * n + j];
  }
  return { ...own, parts: { root, scaled }, places: placesOf(scaled, K) };
}

/**
 * G with G Gᵀ = A Aᵀ for the K × n matrix A, and no more columns than rows: A itself, or K × K from Aᵀ J, whose columns are orthogonal
 * with lengths σ, so that A Aᵀ = J diag(σ²) Jᵀ.
 */
function placesOf(a: Float64Array, K: number): Float64Array {
  const n = a.length / K;
  if (n <= K) return a;
  const columns = Float64Array.from(a, (_, at) => a[(at % K) * n + Math.floor(at / K)]);
  const places = new Float64Array(K * K);
  for (let k = 0; k < K; k++) places[k * K + k] = 1;
  orthogonaliseColumns(columns, K, places);
  const lengths = new Float64Array(K);
  for (let at = 0; at < columns.length; at++) lengths[at % K] = Math.hypot(lengths[at % K], columns[at]);
  return places.map((x, at) => x * lengths[at % K]);
}

/**
 * The factor whose moments match under class prior p: x̄ = μ + Σ w̄ and S = Σ + Σ C Σ with w̄ = Σ_k p_k w_k and C = Cov_p(w).
 * C has rank below K, so Σ differs from S = L Lᵀ by as much. With E = Σ_k √p_k Lᵀ(w_k − w̄) U_kᵀ, n × r, for the classes' spread U,
 * whose columns have length q,
 *
 *     Σ = A Aᵀ,     A = L ( I − E diag( s² / (q (1 + √s)) ) Eᵀ ),     s = 2 / (1 + √(1 + 4q))
 *
 * which stays positive definite where S less what it has to lose would not.
 */
export function matchMoments(target: GaussianTarget, prior: Float64Array): Gaussian {
  const { gaussianColumns, mean, places, parts } = target;
  const { weights, K } = gaussianColumns;
  const n = mean.length;
  const average = new Float64Array(n);
  for (let k = 0; k < K; k++) for (let i = 0; i < n; i++) average[i] += prior[k] * weights[k * n + i];
  if ("diagonal" in parts) {
    const lowRank = matchFactors(gaussianColumns, parts, places, prior);
    const covariance = expandLowRank(lowRank);
    const centre = mean.map((x, i) => x - dot(covariance.subarray(i * n, (i + 1) * n), average));
    return createGaussian(gaussianColumns, centre, covariance, lowRank);
  }
  const { root: L, scaled } = parts;
  const middle = new Float64Array(n);
  for (let k = 0; k < K; k++) for (let i = 0; i < n; i++) middle[i] += prior[k] * scaled[k * n + i];
  const { q, axes } = spreadOf(prior, places);
  const rank = q.length;
  const A = L.slice();
  const along = new Float64Array(n);
  for (let j = 0; j < rank; j++) {
    if (!(q[j] > 0)) continue;
    along.fill(0);
    for (let k = 0; k < K; k++) {
      const share = Math.sqrt(prior[k]) * axes[k * rank + j];
      for (let i = 0; i < n; i++) along[i] += share * (scaled[k * n + i] - middle[i]);
    }
    const s = 2 / (1 + Math.sqrt(1 + 4 * q[j]));
    const loss = s ** 2 / (q[j] * (1 + Math.sqrt(s)));
    for (let a = 0; a < n; a++) {
      const lost = loss * dot(L.subarray(a * n, a * n + a + 1), along.subarray(0, a + 1));
      for (let b = 0; b < n; b++) A[a * n + b] -= lost * along[b];
    }
  }
  const covariance = new Float64Array(n * n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b <= a; b++) {
      const value = dot(A.subarray(a * n, (a + 1) * n), A.subarray(b * n, (b + 1) * n));
      covariance[a * n + b] = covariance[b * n + a] = value;
    }
  }
  const centre = mean.map((x, i) => x - dot(covariance.subarray(i * n, (i + 1) * n), average));
  return createGaussian(gaussianColumns, centre, covariance);
}

/**
 * How far a factor's moments are from the target's, in standard deviations: the largest |mean − x̄|_i / σ_i and
 * |covariance − S|_ij / (σ_i σ_j) of the distribution that factor and class prior make together.
 */
export function momentMismatch(target: GaussianTarget, factor: Gaussian, prior: Float64Array): number {
  const { gaussianColumns, mean, covariance: S } = target;
  const { weights, K } = gaussianColumns;
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
  const deviation = mean.map((_, i) => Math.sqrt(S[i * n + i]));
  for (let i = 0; i < n; i++) {
    worst = Math.max(worst, Math.abs(average[i]) / deviation[i]);
    for (let j = 0; j <= i; j++) {
      let sum = factor.covariance[i * n + j] - S[i * n + j];
      for (let k = 0; k < K; k++)
        sum += prior[k] * (away[k * n + i] - average[i]) * (away[k * n + j] - average[j]);
      // One after the other: a product of small variances would be 0.
      worst = Math.max(worst, Math.abs(sum) / deviation[i] / deviation[j]);
    }
  }
  return worst;
}

/** The covariance of the prior's rows. */
function covarianceOf(
  { covariance, origin }: GaussianFrame,
  { correlated }: FactorPrior,
  i: number,
  j: number,
): number {
  return covariance[i * origin.length + j] * (i === j ? 1 : correlated);
}

/** The moments that a component's Gaussian has to match: its rows' and the prior's together. */
export function shrunkTarget(
  { weight, sum, product }: GaussianMoments,
  frame: GaussianFrame,
  prior: FactorPrior,
): GaussianTarget {
  const { rows, ridge } = prior;
  const { gaussianColumns, origin, scale } = frame;
  const n = origin.length;
  const all = product.slice();
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) all[triangle(i) + j] += rows * covarianceOf(frame, prior, i, j);
    all[triangle(i) + i] += ridge * scale[i];
  }
  const moments = centralMoments({ weight: weight + rows, sum, product: all }, origin);
  if (frame.rank === undefined)
    return gaussianTarget(gaussianColumns, moments.mean, moments.covariance, undefined);
  const factors = analyzeFactors(moments.covariance, n, frame.rank, frame.factors);
  const covariance = expandLowRank({ ...factors, signs: new Float64Array(frame.rank).fill(1) });
  return gaussianTarget(gaussianColumns, moments.mean, covariance, factors);
}

/**
 * The logarithm of the prior, up to a constant: `rows` rows of the overall moments, E[log q(x)] each, and the ridge,
 * −½ ridge · tr( Σ⁻¹ diag(scale) ). Of these rows `pseudocount` per class belong to the class, E[log P(x | k)].
 */
export function gaussianLogPrior(gaussian: Gaussian, frame: GaussianFrame, prior: FactorPrior): number {
  const { rows, ridge, pseudocount } = prior;
  const { gaussianColumns, origin, scale } = frame;
  const { mean, logZ } = gaussian;
  const n = mean.length;
  const { lowRank } = gaussian;
  const { precision, logRoot } = lowRank
    ? invertLowRank(gaussianColumns, { mean, lowRank })
    : inverseOf(gaussian);
  let trace = 0;
  let ridged = 0;
  const away = origin.map((x, i) => x - mean[i]);
  for (let j = 0; j < n; j++) {
    ridged += precision[j * n + j] * scale[j];
    for (let i = 0; i < n; i++)
      trace += precision[j * n + i] * (covarianceOf(frame, prior, i, j) + away[i] * away[j]);
  }
  const logQ = -logRoot - trace / 2 - n * HALF_LOG_TWO_PI;
  let classes = 0;
  for (let k = 0; k < logZ.length; k++)
    classes += dot(gaussianColumns.weights.subarray(k * n, (k + 1) * n), origin) - logZ[k];
  return rows * logQ + pseudocount * classes - (ridge * ridged) / 2;
}

/** Any Gaussian that a frame leads to: its arrays are as long as those of every other one. */
export function shapeOfGaussian({ gaussianColumns, rank }: GaussianFrame): Gaussian {
  const n = gaussianColumns.columns.length;
  const covariance = new Float64Array(n * n);
  if (rank === undefined) return createGaussian(gaussianColumns, new Float64Array(n), covariance);
  const width = rank + Math.min(n, gaussianColumns.K);
  const [diagonal, loadings] = [new Float64Array(n), new Float64Array(n * width)];
  const lowRank = { diagonal, loadings, signs: new Float64Array(width) };
  return createGaussian(gaussianColumns, new Float64Array(n), covariance, lowRank);
}
