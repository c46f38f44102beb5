/** An estimate with its standard error. */
export interface Estimate {
  readonly mean: number;
  readonly standardError: number;
}

/**
 * A mean and its standard error s / √n; 0 for a single value. Rows of a group depend on each other: with G groups the error is the
 * cluster-robust √( G / (G − 1) · Σ_g (Σ_{i∈g} (xᵢ − x̄))² ) / n, and a single group counts as one row.
 */
export function meanWithError(values: ArrayLike<number>, groups?: ArrayLike<number>): Estimate {
  const n = values.length;
  let sum = 0;
  for (let r = 0; r < n; r++) sum += values[r];
  const mean = sum / n;
  const off = Float64Array.from(values, (x) => x - mean);
  const variance = n > 1 ? sumOfSquares(off) / (n - 1) : 0;
  if (groups === undefined) return { mean, standardError: Math.sqrt(variance / n) };
  const sums = sumsOfGroups(off, groups);
  const G = sums.length;
  const ofGroups = G > 1 ? ((G / (G - 1)) * sumOfSquares(sums)) / n ** 2 : variance;
  return { mean, standardError: Math.sqrt(ofGroups) };
}

/** The sum of each group of rows, in the order of their first rows. */
export function sumsOfGroups(values: Float64Array, groups: ArrayLike<number>): Float64Array {
  const sums = new Map<number, number>();
  for (let r = 0; r < values.length; r++) sums.set(groups[r], (sums.get(groups[r]) ?? 0) + values[r]);
  return Float64Array.from(sums.values());
}

export function sumOfSquares(values: Float64Array): number {
  let sum = 0;
  for (const x of values) sum += x * x;
  return sum;
}

/**
 * The share of ones with the standard error of Agresti and Coull (1998), who add two successes and two failures: few rows that are
 * all alike do not make it 0. Rows in groups count as the n = 1 + p (1 − p) / error² independent rows that have the cluster-robust error,
 * or as one row per group where all are alike.
 */
export function shareWithError(ones: Float64Array, groups?: ArrayLike<number>): Estimate {
  const { mean: p, standardError } = meanWithError(ones, groups);
  const n = groups ? independentRows(ones.length, p, standardError, groups) : ones.length;
  const adjusted = (p * n + 2) / (n + 4);
  return { mean: p, standardError: Math.sqrt((adjusted * (1 - adjusted)) / (n + 4)) };
}

function independentRows(rows: number, p: number, error: number, groups: ArrayLike<number>): number {
  return error > 0 ? Math.min(rows, 1 + (p * (1 - p)) / error ** 2) : new Set(Array.from(groups)).size;
}
