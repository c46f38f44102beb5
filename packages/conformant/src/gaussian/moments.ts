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

/** Sums and products of many rows, which are added four at a time: the products are then read and written once for all four. */
export class OuterSums {
  /** Σ w x xᵀ of the rows that are not waiting, to which what else belongs to it may be added in place. */
  readonly product: Float64Array;
  readonly #sum: Float64Array;
  readonly #rows: readonly Float64Array[];
  readonly #weights = new Float64Array(4);
  #waiting = 0;

  constructor(n: number) {
    const { sum, product } = noMoments(n);
    this.#sum = sum;
    this.product = product;
    this.#rows = Array.from({ length: 4 }, () => new Float64Array(n));
  }

  /** Adds a row about the origin. */
  add(x: Float64Array, weight: number): void {
    this.#rows[this.#waiting].set(x);
    this.#weights[this.#waiting++] = weight;
    if (this.#waiting === 4) this.#addFour();
  }

  /** The moments of all rows so far. */
  moments(weight: number): GaussianMoments {
    const [sum, product] = [this.#sum, this.product];
    for (let r = 0; r < this.#waiting; r++) addOuter(sum, product, this.#rows[r], this.#weights[r]);
    this.#waiting = 0;
    return { weight, sum, product };
  }

  #addFour(): void {
    const [x, y, z, v] = this.#rows;
    const [sum, product] = [this.#sum, this.product];
    const [wx, wy, wz, wv] = this.#weights;
    for (let i = 0, at = 0; i < sum.length; i++) {
      const a = wx * x[i];
      const b = wy * y[i];
      const c = wz * z[i];
      const d = wv * v[i];
      sum[i] += a + b + (c + d);
      for (let j = 0; j <= i; j++) product[at++] += a * x[j] + b * y[j] + (c * z[j] + d * v[j]);
    }
    this.#waiting = 0;
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
