import { choleskyFactor } from "../linalg/cholesky.ts";
import { submatrix } from "../linalg/submatrix.ts";
import { HALF_LOG_TWO_PI, logNormalInterval } from "../math/normal/normal.ts";
import type { Block, Pattern } from "./block.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";

/** A Gaussian factor for one pattern of gaps: how the hidden cells follow from the known ones. Σ_oo = L Lᵀ. */
export interface Conditional {
  /** L, o × o, lower. */
  readonly lower: Float64Array;
  /** G = L⁻¹ Σ_oh, o × h. */
  readonly gain: Float64Array;
  /** Σ_h|o = Σ_hh − Gᵀ G, h × h: the hidden cells' covariance, whatever the known ones are and whatever the class. */
  readonly covariance: Float64Array;
  /** Σ_h|o w_k,h, K × h: how the class moves the hidden cells' mean. */
  readonly shift: Float64Array;
  /** log |L| + ½ o log 2π. */
  readonly logScale: number;
}

/** Conditions a factor on a pattern. */
export function condition(
  { weights, K }: Block,
  factor: GaussianFactor,
  { known, hidden }: Pattern,
): Conditional {
  const n = factor.mean.length;
  const [o, h] = [known.length, hidden.length];
  const lower = submatrix(factor.covariance, n, known);
  choleskyFactor(lower, o);
  const gain = submatrix(factor.covariance, n, known, hidden);
  let logScale = o * HALF_LOG_TWO_PI;
  for (let i = 0; i < o; i++) {
    logScale += Math.log(lower[i * o + i]);
    for (let c = 0; c < h; c++) {
      let sum = gain[i * h + c];
      for (let j = 0; j < i; j++) sum -= lower[i * o + j] * gain[j * h + c];
      gain[i * h + c] = sum / lower[i * o + i];
    }
  }
  const covariance = submatrix(factor.covariance, n, hidden);
  for (let i = 0; i < o; i++) {
    for (let a = 0; a < h; a++) {
      for (let b = 0; b < h; b++) covariance[a * h + b] -= gain[i * h + a] * gain[i * h + b];
    }
  }
  const shift = new Float64Array(K * h);
  for (let k = 0; k < K; k++) {
    for (let a = 0; a < h; a++) {
      for (let b = 0; b < h; b++) shift[k * h + a] += covariance[a * h + b] * weights[k * n + hidden[b]];
    }
  }
  return { lower, gain, covariance, shift, logScale };
}

/** What a row's known cells say under one factor. */
export interface Conditioned {
  /** log N(y_o; μ_o, Σ_oo). */
  readonly logDensity: number;
  /** E[x_h | y_o] under q, before any class: h numbers. Given class k the mean is this plus `shift` of the class. */
  readonly mean: Float64Array;
}

/** Applies a conditional to the row of n cells that starts at `start`. */
export function applyConditional(
  { lower, gain, logScale }: Conditional,
  factor: GaussianFactor,
  { known, hidden }: Pattern,
  cells: Float64Array,
  start: number,
): Conditioned {
  const [o, h] = [known.length, hidden.length];
  const mean = Float64Array.from(hidden, (i) => factor.mean[i]);
  const z = new Float64Array(o);
  let squares = 0;
  for (let i = 0; i < o; i++) {
    let sum = cells[start + known[i]] - factor.mean[known[i]];
    for (let j = 0; j < i; j++) sum -= lower[i * o + j] * z[j];
    z[i] = sum / lower[i * o + i];
    squares += z[i] * z[i];
    for (let c = 0; c < h; c++) mean[c] += gain[i * h + c] * z[i];
  }
  return { logDensity: -squares / 2 - logScale, mean };
}

/**
 * log Π_i P( |x_i − y_i| ≤ ½ cell_i | y_1 … y_{i−1} ) over the known cells of a row: the mass of the cell that it was recorded
 * in, one column after the other. As the cells shrink it becomes the density times their size.
 */
export function logCellMass(
  { lower }: Conditional,
  factor: GaussianFactor,
  { known }: Pattern,
  cells: Float64Array,
  start: number,
  sizes: Float64Array,
): number {
  const o = known.length;
  const z = new Float64Array(o);
  let mass = 0;
  for (let i = 0; i < o; i++) {
    let sum = cells[start + known[i]] - factor.mean[known[i]];
    for (let j = 0; j < i; j++) sum -= lower[i * o + j] * z[j];
    z[i] = sum / lower[i * o + i];
    mass += logNormalInterval(z[i], sizes[known[i]] / (2 * lower[i * o + i]));
  }
  return mass;
}
