import { ConformantError, type Schema } from "conformant";
import { choleskyFactor, choleskySolve, solveFactored, submatrix } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { covarianceOf, type Moments, meanOf } from "./moments.ts";

/** A normal distribution over the slots of a row. */
export interface Gaussian {
  /** S numbers. */
  readonly mean: Float64Array;
  /** Σ, S × S row-major, positive definite. */
  readonly covariance: Float64Array;
  /** Λ = Σ⁻¹, S × S row-major. */
  readonly precision: Float64Array;
}

/** Completes a Gaussian from its mean and covariance, or undefined where the covariance is not positive definite. */
export function createGaussian(mean: Float64Array, covariance: Float64Array): Gaussian | undefined {
  const precision = inverse(covariance, mean.length);
  return precision && { mean, covariance, precision };
}

/** The inverse of a symmetric positive definite matrix: A = L Lᵀ, A⁻¹ = L⁻ᵀ L⁻¹. */
function inverse(a: Float64Array, n: number): Float64Array | undefined {
  const l = Float64Array.from(a);
  if (!choleskyFactor(l, n)) return undefined;
  const m = lowerInverse(l, n);
  const out = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i <= k; i++) {
      const f = m[k * n + i];
      if (f !== 0) for (let j = 0; j <= i; j++) out[i * n + j] += f * m[k * n + j];
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) out[j * n + i] = out[i * n + j];
  return out;
}

/** L⁻¹ of a lower triangular matrix, row by row: row i is (e_i − Σ_{j<i} L_ij · row j) / L_ii. */
function lowerInverse(l: Float64Array, n: number): Float64Array {
  const m = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const f = l[i * n + j];
      if (f !== 0) for (let c = 0; c <= j; c++) m[i * n + c] -= f * m[j * n + c];
    }
    m[i * n + i] = 1;
    for (let c = 0; c <= i; c++) m[i * n + c] /= l[i * n + i];
  }
  return m;
}

/** The slots that are NaN in the row from `start`, and those that are not. */
export function splitSlots(rows: Float64Array, start: number, width: number): [number[], number[]] {
  const missing: number[] = [];
  const known: number[] = [];
  for (let i = 0; i < width; i++) (Number.isNaN(rows[start + i]) ? missing : known).push(i);
  return [missing, known];
}

/** Replaces the missing slots of one row by their mean given the known ones, E[x_h | x_o]. */
export function fillConditionalMean(gaussian: Gaussian, rows: Float64Array, start: number): void {
  const [missing, known] = splitSlots(rows, start, gaussian.mean.length);
  if (missing.length === 0) return;
  // Both ways give the same; the smaller system is the cheaper one.
  if (missing.length <= known.length) fillByPrecision(gaussian, rows, start, missing, known);
  else fillByCovariance(gaussian, rows, start, missing, known);
}

/** μ_h − Λ_hh⁻¹ Λ_ho (x_o − μ_o). */
function fillByPrecision(
  { mean, precision }: Gaussian,
  rows: Float64Array,
  start: number,
  missing: readonly number[],
  known: readonly number[],
): void {
  const S = mean.length;
  const x = new Float64Array(missing.length);
  for (const j of known) {
    const difference = rows[start + j] - mean[j];
    for (let a = 0; a < x.length; a++) x[a] -= precision[j * S + missing[a]] * difference;
  }
  choleskySolve(submatrix(precision, S, missing), x.length, x);
  missing.forEach((i, a) => {
    rows[start + i] = mean[i] + x[a];
  });
}

/** μ_h + Σ_ho Σ_oo⁻¹ (x_o − μ_o). */
function fillByCovariance(
  { mean, covariance }: Gaussian,
  rows: Float64Array,
  start: number,
  missing: readonly number[],
  known: readonly number[],
): void {
  const S = mean.length;
  const z = Float64Array.from(known, (j) => rows[start + j] - mean[j]);
  choleskySolve(submatrix(covariance, S, known), z.length, z);
  for (const i of missing) {
    let x = mean[i];
    for (let b = 0; b < z.length; b++) x += covariance[i * S + known[b]] * z[b];
    rows[start + i] = x;
  }
}

/** A linear regression of the slots start … end − 1 of one column on all slots of the others. */
export interface Regression {
  readonly start: number;
  readonly end: number;
  /** One per slot of the column. */
  readonly intercept: Float64Array;
  /** (end − start) × S row-major; 0 for the column's own slots. */
  readonly coefficients: Float64Array;
}

/** The regression of one column: coefficients Σ_RR⁻¹ Σ_RC with R the other slots and the ridge on Σ_RR's diagonal. */
export function regress(moments: Moments, start: number, end: number, ridge: number): Regression {
  const S = moments.sum.length;
  const covariance = covarianceOf(moments, ridge);
  const others = Array.from({ length: S - (end - start) }, (_, j) => (j < start ? j : j + end - start));
  const factor = submatrix(covariance, S, others);
  if (!choleskyFactor(factor, others.length)) throw singular();
  const coefficients = new Float64Array((end - start) * S);
  for (let a = 0; a < end - start; a++) {
    const x = Float64Array.from(others, (j) => covariance[j * S + start + a]);
    solveFactored(factor, others.length, x);
    others.forEach((j, b) => {
      coefficients[a * S + j] = x[b];
    });
  }
  return withIntercept(meanOf(moments), start, end, coefficients);
}

/** All regressions at once from the inverse covariance Λ: the coefficients of column C are −Λ_CC⁻¹ Λ_CR. */
export function regressAll(schema: Schema, moments: Moments, ridge: number): Regression[] {
  const S = moments.sum.length;
  const mean = meanOf(moments);
  const gaussian = createGaussian(mean, covarianceOf(moments, ridge));
  if (!gaussian) throw singular();
  const slots = slotOffsets(schema);
  return schema.columns.map((_, i) => {
    const [start, end] = [slots[i], slots[i + 1]];
    const own = Array.from({ length: end - start }, (_, a) => start + a);
    const factor = submatrix(gaussian.precision, S, own);
    if (!choleskyFactor(factor, own.length)) throw singular();
    const coefficients = new Float64Array(own.length * S);
    for (let j = 0; j < S; j++) {
      if (j >= start && j < end) continue;
      const x = Float64Array.from(own, (slot) => -gaussian.precision[slot * S + j]);
      solveFactored(factor, own.length, x);
      for (let a = 0; a < own.length; a++) coefficients[a * S + j] = x[a];
    }
    return withIntercept(mean, start, end, coefficients);
  });
}

/** intercept_a = mean_a − Σ_j coefficient_aj · mean_j, so that the means predict the means. */
function withIntercept(
  mean: Float64Array,
  start: number,
  end: number,
  coefficients: Float64Array,
): Regression {
  const S = mean.length;
  const intercept = Float64Array.from({ length: end - start }, (_, a) =>
    mean.reduce((sum, x, j) => sum - coefficients[a * S + j] * x, mean[start + a]),
  );
  return { start, end, intercept, coefficients };
}

function singular(): ConformantError {
  const message =
    "a column of the training data follows from the others, so its regression is not determined";
  return new ConformantError("invalid-argument", message, {
    argument: "options.ridge",
    hint: "raise ridge; one-hot groups need some, for example 1e-6",
  });
}
