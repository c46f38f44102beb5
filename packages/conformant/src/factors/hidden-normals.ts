import { choleskyFactor } from "../linalg/cholesky.ts";
import { submatrix } from "../linalg/submatrix.ts";
import type { Random } from "../math/random.ts";

/**
 * Hidden numbers that are jointly normal given component and class,
 *
 *     P_m(x_h | y_o, k) = N( μ_mk, Σ_m )
 */
export interface HiddenNormals {
  /** Positions of the hidden columns in the schema; h of them, or none. */
  readonly columns: readonly number[];
  /** Number of classes. */
  readonly K: number;
  /** The means, M × K × h: `means[(m * K + k) * h + a]`. */
  readonly means: Float64Array;
  /** Σ_m per component, h × h. */
  readonly covariances: readonly Float64Array[];
}

/** No hidden numbers, of M components. */
export function noNormals(M: number, K: number): HiddenNormals {
  const none = new Float64Array(0);
  return { columns: [], K, means: none, covariances: new Array<Float64Array>(M).fill(none) };
}

/** Some of the hidden numbers, the others left out of account. */
export function pickNormals(
  { columns, K, means, covariances }: HiddenNormals,
  wanted: (index: number) => boolean,
): HiddenNormals {
  const h = columns.length;
  const places = columns.flatMap((index, a) => (wanted(index) ? [a] : []));
  const picked = covariances.map((covariance) => submatrix(covariance, h, places));
  const outcomes = Array.from({ length: covariances.length * K }, (_, outcome) => outcome);
  return {
    columns: places.map((a) => columns[a]),
    K,
    means: Float64Array.from(outcomes.flatMap((outcome) => places.map((a) => means[outcome * h + a]))),
    covariances: picked,
  };
}

/** A hidden number by itself: normal with these means (M × K) and standard deviations (M) given component and class. */
export interface HiddenNumber {
  readonly means: Float64Array;
  readonly deviations: Float64Array;
}

/** Hidden number a by itself. */
export function hiddenNumber({ means, covariances, columns, K }: HiddenNormals, a: number): HiddenNumber {
  const h = columns.length;
  return {
    means: Float64Array.from({ length: covariances.length * K }, (_, outcome) => means[outcome * h + a]),
    deviations: Float64Array.from(covariances, (c) => Math.sqrt(Math.max(0, c[a * h + a]))),
  };
}

/** A linear function d·x of the hidden numbers, again normal given component and class; 0 where there are none. */
export function hiddenSum({ means, covariances, columns, K }: HiddenNormals, d: Float64Array): HiddenNumber {
  const h = columns.length;
  return {
    means: Float64Array.from({ length: covariances.length * K }, (_, outcome) => {
      let sum = 0;
      for (let a = 0; a < h; a++) sum += d[a] * means[outcome * h + a];
      return sum;
    }),
    deviations: Float64Array.from(covariances, (c) => {
      let sum = 0;
      for (let a = 0; a < h; a++) for (let b = 0; b < h; b++) sum += d[a] * d[b] * c[a * h + b];
      return Math.sqrt(Math.max(0, sum));
    }),
  };
}

/** L with Σ = L Lᵀ, h × h; a conditional variance of 0 to rounding becomes the tiniest one. */
export function rootOf(covariance: Float64Array, h: number): Float64Array {
  const lower = covariance.slice();
  if (choleskyFactor(lower, h)) return lower;
  lower.set(covariance);
  for (let a = 0; a < h; a++) lower[a * h + a] = lower[a * h + a] * (1 + 1e-9) + Number.MIN_VALUE;
  choleskyFactor(lower, h);
  return lower;
}

/** Draws the hidden numbers given an outcome (component and class): writes h of them. */
export function hiddenSampler({
  means,
  covariances,
  columns,
  K,
}: HiddenNormals): (outcome: number, g: Random, out: Float64Array) => void {
  const h = columns.length;
  const roots = covariances.map((covariance) => rootOf(covariance, h));
  const z = new Float64Array(h);
  return (outcome, g, out) => {
    const lower = roots[Math.floor(outcome / K)];
    for (let a = 0; a < h; a++) {
      z[a] = g.normal();
      let x = means[outcome * h + a];
      for (let b = 0; b <= a; b++) x += lower[a * h + b] * z[b];
      out[a] = x;
    }
  };
}
