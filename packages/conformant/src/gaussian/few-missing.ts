import { choleskyRoot, solveFactored, solveLower, submatrix } from "../math/cholesky.ts";
import { HALF_LOG_TWO_PI } from "../math/normal.ts";
import type { Gaussian, GaussianColumns, Pattern } from "./gaussian.ts";

/** How the missing cells of a row follow from the known ones under one Gaussian. */
export interface MissingGiven {
  /** Σ_h|o, h × h: the missing cells' covariance, whatever the known ones are and whatever the class. */
  readonly covariance: Float64Array;
  /** Σ_h|o w_k,h, K × h: how the class moves the missing cells' mean. */
  readonly shift: Float64Array;
  /** Writes E[x_h | y_o] before any class, h numbers, for the row of n cells that starts at `start`. */
  readonly meanInto: (cells: Float64Array, start: number, mean: Float64Array) => void;
}

/** Columns from which on the inverse of the covariance pays for rows with few missing cells. */
const WIDE = 32;

/** Whether h of n numbers are so few that a row costs less through the inverse of the covariance: h³ + n² steps instead of (n − h)³ / 3. */
export function hasFewMissing(n: number, h: number): boolean {
  return n >= WIDE && 3 * h <= n;
}

/** A covariance Σ inverted. */
interface Inverse {
  /** L with Σ = L Lᵀ, n × n. */
  readonly lower: Float64Array;
  /** P = Σ⁻¹, n × n. */
  readonly precision: Float64Array;
  /** log |L|. */
  readonly logRoot: number;
}

const inverses = new WeakMap<Gaussian, Inverse>();

/** The inverse of a Gaussian's covariance, found once. */
export function inverseOf(gaussian: Gaussian): Inverse {
  const known = inverses.get(gaussian);
  if (known) return known;
  const n = gaussian.mean.length;
  const lower = choleskyRoot(gaussian.covariance, n);
  const made = { lower, precision: invertFactored(lower, n), logRoot: logDiagonal(lower, n) };
  inverses.set(gaussian, made);
  return made;
}

/**
 * Conditions on the known cells of a row with few missing ones. With P = Σ⁻¹ and P_hh = R Rᵀ
 *
 *     Σ_h|o = P_hh⁻¹,     E[x_h | y_o] = μ_h − P_hh⁻¹ P_ho (y_o − μ_o)
 */
export function conditionFew(
  { weights, K }: GaussianColumns,
  gaussian: Gaussian,
  pattern: Pattern,
): MissingGiven {
  const { hidden } = pattern;
  const [n, h] = [gaussian.mean.length, hidden.length];
  const inverse = inverseOf(gaussian);
  const root = choleskyRoot(submatrix(inverse.precision, n, hidden), h);
  const covariance = invertFactored(root, h);
  const shift = new Float64Array(K * h);
  for (let k = 0; k < K; k++)
    for (let a = 0; a < h; a++)
      for (let b = 0; b < h; b++) shift[k * h + a] += covariance[a * h + b] * weights[k * n + hidden[b]];
  return {
    covariance,
    shift,
    meanInto: (cells, start, mean) => writeMean(gaussian, inverse, root, pattern, cells, start, mean),
  };
}

/**
 * Adds the scores of a row with few missing cells under one component. |Σ_oo| = |Σ| |P_hh|; the square of L_oo⁻¹ (y_o − μ_o) is that of
 * L⁻¹ (x − μ) where the missing cells have their conditional mean, which makes it smallest, so that rounding of the mean does not count.
 *
 * @param at where the density and, times K, the shifts of the row and component go
 */
export function scoreFew(
  { weights, K }: GaussianColumns,
  gaussian: Gaussian,
  pattern: Pattern,
  cells: Float64Array,
  start: number,
  { density, shift }: { readonly density: Float64Array; readonly shift: Float64Array },
  at: number,
): void {
  const { known, hidden } = pattern;
  const { mean } = gaussian;
  const [n, h] = [mean.length, hidden.length];
  const inverse = inverseOf(gaussian);
  const root = choleskyRoot(submatrix(inverse.precision, n, hidden), h);
  const missing = new Float64Array(h);
  writeMean(gaussian, inverse, root, pattern, cells, start, missing);
  const z = new Float64Array(n);
  for (let i = 0; i < n; i++) z[i] = cells[start + i] - mean[i];
  for (let a = 0; a < h; a++) z[hidden[a]] = missing[a] - mean[hidden[a]];
  solveLower(inverse.lower, n, z);
  let squares = 0;
  for (let i = 0; i < n; i++) squares += z[i] * z[i];
  density[at] -= squares / 2 + inverse.logRoot + logDiagonal(root, h) + known.length * HALF_LOG_TWO_PI;
  const own = new Float64Array(h);
  for (let k = 0; k < K; k++) {
    let worth = 0;
    let counts = false;
    for (let a = 0; a < h; a++) {
      own[a] = weights[k * n + hidden[a]];
      counts ||= own[a] !== 0;
      worth += own[a] * missing[a];
    }
    if (!counts) continue;
    solveLower(root, h, own);
    let spread = 0;
    for (let a = 0; a < h; a++) spread += own[a] * own[a];
    shift[at * K + k] += worth + spread / 2;
  }
}

function writeMean(
  { mean: center }: Gaussian,
  { precision }: Inverse,
  root: Float64Array,
  { known, hidden }: Pattern,
  cells: Float64Array,
  start: number,
  mean: Float64Array,
): void {
  const [n, o, h] = [center.length, known.length, hidden.length];
  for (let a = 0; a < h; a++) {
    const row = hidden[a] * n;
    let sum = 0;
    for (let b = 0; b < o; b++)
      sum += precision[row + known[b]] * (cells[start + known[b]] - center[known[b]]);
    mean[a] = sum;
  }
  solveFactored(root, h, mean);
  for (let a = 0; a < h; a++) mean[a] = center[hidden[a]] - mean[a];
}

/** (L Lᵀ)⁻¹, symmetric to the last bit. */
function invertFactored(lower: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  const column = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    // Column j from its diagonal on: above it are zeros on the way down, and what symmetry tells on the way up.
    column.fill(0);
    column[j] = 1;
    for (let i = j; i < n; i++) {
      let sum = column[i];
      for (let k = j; k < i; k++) sum -= lower[i * n + k] * column[k];
      column[i] = sum / lower[i * n + i];
    }
    for (let i = n - 1; i >= j; i--) {
      const solved = column[i] / lower[i * n + i];
      for (let k = j; k < i; k++) column[k] -= lower[i * n + k] * solved;
      inverse[i * n + j] = inverse[j * n + i] = solved;
    }
  }
  return inverse;
}

function logDiagonal(lower: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.log(lower[i * n + i]);
  return sum;
}
