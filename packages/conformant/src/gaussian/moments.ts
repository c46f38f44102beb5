import { triangle } from "../math/cholesky.ts";

/**
 * Sums over weighted rows from which mean and covariance of a Gaussian follow, about a fixed origin that keeps them accurate.
 * They add like counts, so rows, chunks and databases can make them.
 */
export interface GaussianMoments {
  /** The weight of the rows. */
  readonly weight: number;
  /** Σ w (x − origin), n numbers. */
  readonly sum: Float64Array;
  /** Σ w (x − origin)(x − origin)ᵀ, lower triangle row by row: n (n + 1) / 2 numbers. */
  readonly product: Float64Array;
}

/** No rows. */
export function noMoments(n: number): GaussianMoments {
  return { weight: 0, sum: new Float64Array(n), product: new Float64Array(triangle(n)) };
}

/** Both sets of rows together. */
export function addMoments(a: GaussianMoments, b: GaussianMoments): GaussianMoments {
  return {
    weight: a.weight + b.weight,
    sum: a.sum.map((x, i) => x + b.sum[i]),
    product: a.product.map((x, i) => x + b.product[i]),
  };
}

/** Adds a row about the origin to `sum` and `product` in place. */
export function addOuter(sum: Float64Array, product: Float64Array, x: Float64Array, weight: number): void {
  for (let i = 0, at = 0; i < x.length; i++) {
    const scaled = weight * x[i];
    sum[i] += scaled;
    for (let j = 0; j <= i; j++) product[at++] += scaled * x[j];
  }
}

/** The mean, and the covariance (divided by the weight) as a full n × n matrix. */
export function centralMoments(
  { weight, sum, product }: GaussianMoments,
  origin: Float64Array,
): { mean: Float64Array; covariance: Float64Array } {
  const n = sum.length;
  const covariance = new Float64Array(n * n);
  for (let i = 0, at = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const value = product[at++] / weight - (sum[i] / weight) * (sum[j] / weight);
      covariance[i * n + j] = value;
      covariance[j * n + i] = value;
    }
  }
  return { mean: origin.map((x, i) => x + sum[i] / weight), covariance };
}
