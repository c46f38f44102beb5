import { requireMade, requireOrdered } from "../../../errors.ts";
import { normalAbove, normalBelow } from "../../../math/normal/normal.ts";

/** A mixture of normal distributions on a line; a deviation of 0 is a point. */
export interface NormalMixture {
  /** They sum to 1. */
  readonly weights: Float64Array;
  readonly means: Float64Array;
  readonly standardDeviations: Float64Array;
}

/** P(X ≥ t). */
export function mixtureAbove({ weights, means, standardDeviations }: NormalMixture, t: number): number {
  let sum = 0;
  for (let j = 0; j < weights.length; j++) {
    const s = standardDeviations[j];
    sum += weights[j] * (s > 0 ? normalAbove((t - means[j]) / s) : Number(means[j] >= t));
  }
  return Math.min(1, sum);
}

/** P(from ≤ X ≤ to). */
export function mixtureBetween(mixture: NormalMixture, from: number, to: number): number {
  requireMade("mixture", mixture);
  requireOrdered("from", from);
  requireOrdered("to", to);
  const { weights, means, standardDeviations } = mixture;
  let sum = 0;
  for (let j = 0; j < weights.length; j++) {
    const s = standardDeviations[j];
    if (s === 0) {
      sum += weights[j] * Number(from <= means[j] && means[j] <= to);
      continue;
    }
    const [a, b] = [(from - means[j]) / s, (to - means[j]) / s];
    // On the side where the numbers are small, so that nothing cancels.
    sum += weights[j] * (a > 0 ? normalAbove(a) - normalAbove(b) : normalBelow(b) - normalBelow(a));
  }
  return sum;
}

/** Mean and standard deviation. */
export function mixtureMoments({ weights, means, standardDeviations }: NormalMixture): {
  mean: number;
  standardDeviation: number;
} {
  const mean = weights.reduce((sum, w, j) => sum + w * means[j], 0);
  const variance = weights.reduce(
    (sum, w, j) => sum + w * (standardDeviations[j] ** 2 + (means[j] - mean) ** 2),
    0,
  );
  return { mean, standardDeviation: Math.sqrt(variance) };
}
