import { createAtoms } from "../distribution/atoms.ts";
import { type Component, createComponent, type Distribution } from "../distribution/distribution.ts";
import { createGaussian, createGaussianColumns } from "../gaussian/gaussian.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { isLinear, type Schema, slotOffsets } from "../schema/column.ts";
import type { LinearRegressor } from "./linear-regressor.ts";

/**
 * Several sums over columns, η_t = Σ_i s_ti(x_i), t < T, as the scores of T classes: what is laid out for classes then also scores them
 * for many rows.
 *
 * @param weights one array per sum, each with one number per slot
 */
export function tiltOf(schema: Schema, weights: readonly Float64Array[]): ClassTilt {
  const T = weights.length;
  const own = new Float64Array(weights[0].length * T);
  weights.forEach((numbers, t) => {
    for (let slot = 0; slot < numbers.length; slot++) own[slot * T + t] = numbers[slot];
  });
  return { schema, intercept: new Float64Array(T), weights: own };
}

/**
 * A distribution q_m(x) together with sums: `mixtureScores` of it are
 *
 *     log π_m q_m(y) + log E_m[ e^{η_t(X)} | y ]
 *
 * up to a constant per row. It is no distribution of rows and classes, as its components are not normalized.
 */
export function withSums(distribution: Distribution, tilt: ClassTilt): Distribution {
  const atoms = createAtoms(tilt, distribution.atoms.columns);
  const gaussianColumns = createGaussianColumns(tilt, distribution.gaussianColumns?.columns ?? []);
  const components = distribution.components.map(({ logWeight, logQ, gaussian }): Component => {
    const own =
      gaussian &&
      gaussianColumns &&
      createGaussian(gaussianColumns, gaussian.mean, gaussian.covariance, gaussian.lowRank);
    const component = createComponent(tilt, atoms, { logWeight, logQ, ...(own && { gaussian: own }) });
    return { ...component, logNormaliser: 0 };
  });
  return { ...distribution, tilt, atoms, components, ...(gaussianColumns && { gaussianColumns }) };
}

/** The same with E_m[s_ti] in place of log E_m[e^{s_ti}] for the missing columns that have atoms. */
export function withMeans(distribution: Distribution, tilt: ClassTilt): Distribution {
  const sums = withSums(distribution, tilt);
  const { atoms } = sums;
  const T = tilt.intercept.length;
  const components = sums.components.map((component): Component => {
    const means = new Float64Array(component.logZ.length);
    atoms.columns.forEach((_, i) => {
      for (let atom = atoms.offsets[i]; atom < atoms.offsets[i + 1]; atom++) {
        const share = Math.exp(component.logQ[atom]);
        for (let t = 0; t < T; t++) means[i * T + t] += share * atoms.scores[atom * T + t];
      }
    });
    return { ...component, logZ: means };
  });
  return { ...sums, components };
}

/** The sum η of a regressor under a distribution, as scores. */
export interface LinearSums {
  /**
   * Of two or three sums: 0, η / unit and, where a Gaussian needs it, −η / unit, all without the intercept. For the log link they are
   * `withSums`, else `withMeans`.
   */
  readonly scored: Distribution;
  readonly unit: number;
}

/**
 * With S_mt the `mixtureScores` of sum t in component m and r_m = softmax_m(S_m0), what the regressor is expected to answer is
 *
 *     identity   b + unit · Σ_m r_m (S_m1 − S_m0)          log   exp( b + log Σ_m e^{S_m1} − log Σ_m e^{S_m0} )
 *
 * A Gaussian's part of S_m1 is the mean and half the variance of η: with it, half of S_m1 − S_m2 takes the place of S_m1 − S_m0.
 */
export function linearSums(
  { schema, link, weights }: Pick<LinearRegressor, "schema" | "link" | "weights">,
  distribution: Distribution,
): LinearSums {
  const none = new Float64Array(weights.length);
  if (link === "log") return { scored: withSums(distribution, tiltOf(schema, [none, weights])), unit: 1 };
  const unit = scoreUnit(distribution, weights);
  const own = weights.map((weight) => weight / unit);
  const sums = [none, own, ...(distribution.gaussianColumns ? [own.map((w) => -w)] : [])];
  return { scored: withMeans(distribution, tiltOf(schema, sums)), unit };
}

/**
 * A power of two near the largest that a column's score varies by within a component: scores are divided by it, so that their squares stay
 * beside log densities without loss.
 */
function scoreUnit(
  { schema, atoms, components, gaussianColumns }: Distribution,
  weights: Float64Array,
): number {
  const slots = slotOffsets(schema);
  let most = 0;
  schema.columns.forEach((column, i) => {
    const { count, values } = atoms.columns[i];
    const at = isLinear(column)
      ? Array.from({ length: count }, (_, v) => weights[slots[i]] * (values?.[v] ?? v))
      : Array.from(weights.subarray(slots[i], slots[i + 1]));
    most = Math.max(most, spread(at));
  });
  gaussianColumns?.columns.forEach((i, a) => {
    const n = gaussianColumns.columns.length;
    for (const { gaussian } of components)
      most = Math.max(most, Math.abs(weights[slots[i]]) * Math.sqrt(gaussian?.covariance[a * n + a] ?? 0));
  });
  return most > 0 && Number.isFinite(most) ? 2 ** Math.ceil(Math.log2(most)) : 1;
}

function spread(numbers: readonly number[]): number {
  return (
    numbers.reduce((a, b) => Math.max(a, b), -Infinity) - numbers.reduce((a, b) => Math.min(a, b), Infinity)
  );
}
