import { createAtoms } from "../distribution/atoms.ts";
import { type Component, createComponent, type Distribution } from "../distribution/distribution.ts";
import { createGaussian, createGaussianColumns } from "../gaussian/gaussian.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { isLinear, type Schema, slotOffsets } from "../schema/column.ts";

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
      gaussian && gaussianColumns && createGaussian(gaussianColumns, gaussian.mean, gaussian.covariance);
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

/**
 * A power of two near the largest that a column's score varies by within a component: scores are divided by it, so that their squares stay
 * beside log densities without loss.
 */
export function scoreUnit(
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
