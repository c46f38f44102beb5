/**
 * The distribution of numbers x and class k with P(x, k) ∝ N(x; μ, Σ) exp( b_k + w_k·x ): a mixture of normals N(μ + Σ w_k, Σ)
 * with one covariance. Written out in loops, without anything of the library.
 */
export interface TiltedGaussian {
  readonly intercept: readonly number[];
  /** w_k, a list per class. */
  readonly weights: readonly (readonly number[])[];
  readonly mean: readonly number[];
  /** Σ, row by row. */
  readonly covariance: readonly (readonly number[])[];
}

const inner = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * b[i], 0);

/** P(k), and mean and covariance of x over all classes. */
export function momentsOf({ intercept, weights, mean, covariance }: TiltedGaussian): {
  readonly prior: readonly number[];
  readonly mean: readonly number[];
  readonly covariance: readonly (readonly number[])[];
} {
  const shifts = weights.map((w) => covariance.map((row) => inner(row, w)));
  const logits = weights.map((w, k) => intercept[k] + inner(w, mean) + inner(w, shifts[k]) / 2);
  const most = Math.max(...logits);
  const total = logits.reduce((sum, x) => sum + Math.exp(x - most), 0);
  const prior = logits.map((x) => Math.exp(x - most) / total);
  const middle = mean.map((_, i) => prior.reduce((sum, p, k) => sum + p * shifts[k][i], 0));
  return {
    prior,
    mean: mean.map((x, i) => x + middle[i]),
    covariance: covariance.map((row, i) =>
      row.map((x, j) =>
        prior.reduce((sum, p, k) => sum + p * (shifts[k][i] - middle[i]) * (shifts[k][j] - middle[j]), x),
      ),
    ),
  };
}

/**
 * For two classes: P(1) of the tilted Gaussian with the given moments x̄ and S, by bisection. With d² = wᵀSw for the difference w of
 * the classes' weights and b of their intercepts, matching the moments leaves
 *
 *     logit p = b + w·x̄ + ½ s d² (1 − 2p),     s = 2 / ( 1 + √(1 + 4 p (1 − p) d²) )
 *
 * whose right side falls in p while the left one rises, so that there is exactly one solution.
 */
export function priorByBisection(
  b: number,
  w: readonly number[],
  mean: readonly number[],
  covariance: readonly (readonly number[])[],
): number {
  const square = inner(
    w,
    covariance.map((row) => inner(row, w)),
  );
  const excess = (logit: number): number => {
    const p = 1 / (1 + Math.exp(-logit));
    const rest = 1 / (1 + Math.exp(logit));
    const s = 2 / (1 + Math.sqrt(1 + 4 * p * rest * square));
    return b + inner(w, mean) + (s * square * (rest - p)) / 2 - logit;
  };
  let [low, high] = [-1e7, 1e7];
  while (high - low > 1e-13 * Math.max(1, Math.abs(low))) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  return 1 / (1 + Math.exp(-low));
}
