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

/** Rows with few missing cells, and where their scores go. */
export interface FewMissingRow {
  readonly pattern: Pattern;
  /** Where its n cells begin. */
  readonly start: number;
  /** Where its density and, times K, its shifts go. */
  readonly at: number;
}

/** Rows that go through the root of the covariance together: their sums do not wait for each other. */
export const TOGETHER = 4;

/**
 * Adds the scores of up to {@link TOGETHER} rows with few missing cells under one component. |Σ_oo| = |Σ| |P_hh|; the square of
 * L_oo⁻¹ (y_o − μ_o) is that of L⁻¹ (x − μ) where the missing cells have their conditional mean, which makes it smallest, so that rounding of
 * the mean does not count.
 */
export function scoreFew(
  gaussianColumns: GaussianColumns,
  gaussian: Gaussian,
  rows: readonly FewMissingRow[],
  cells: Float64Array,
  scores: { readonly density: Float64Array; readonly shift: Float64Array },
): void {
  const { mean } = gaussian;
  const n = mean.length;
  const inverse = inverseOf(gaussian);
  const z = new Float64Array(TOGETHER * n);
  rows.forEach(({ pattern, start, at }, lane) => {
    const { known, hidden } = pattern;
    const root = choleskyRoot(submatrix(inverse.precision, n, hidden), hidden.length);
    const missing = new Float64Array(hidden.length);
    writeMean(gaussian, inverse, root, pattern, cells, start, missing);
    for (let i = 0; i < n; i++) z[TOGETHER * i + lane] = cells[start + i] - mean[i];
    for (let a = 0; a < hidden.length; a++) z[TOGETHER * hidden[a] + lane] = missing[a] - mean[hidden[a]];
    scores.density[at] -= inverse.logRoot + logDiagonal(root, hidden.length) + known.length * HALF_LOG_TWO_PI;
    addShifts(gaussianColumns, hidden, root, missing, scores.shift, at);
  });
  solveLower(inverse.lower, n, z, TOGETHER);
  rows.forEach(({ at }, lane) => {
    let squares = 0;
    for (let i = lane; i < z.length; i += TOGETHER) squares += z[i] * z[i];
    scores.density[at] -= squares / 2;
  });
}

/** Adds w_k,h·E[x_h | y_o] + ½ w_k,hᵀ P_hh⁻¹ w_k,h, P_hh = R Rᵀ. */
function addShifts(
  { weights, K, columns }: GaussianColumns,
  hidden: Int32Array,
  root: Float64Array,
  missing: Float64Array,
  shift: Float64Array,
  at: number,
): void {
  const [n, h] = [columns.length, hidden.length];
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
  { hidden }: Pattern,
  cells: Float64Array,
  start: number,
  mean: Float64Array,
): void {
  const [n, h] = [center.length, hidden.length];
  const away = new Float64Array(n);
  for (let i = 0; i < n; i++) away[i] = cells[start + i] - center[i];
  for (let a = 0; a < h; a++) away[hidden[a]] = 0;
  for (let a = 0; a < h; a++) mean[a] = dotRow(precision, hidden[a] * n, away);
  solveFactored(root, h, mean);
  for (let a = 0; a < h; a++) mean[a] = center[hidden[a]] - mean[a];
}

/** A row of a matrix times a vector, in four sums that do not wait for each other. */
function dotRow(matrix: Float64Array, row: number, x: Float64Array): number {
  const n = x.length;
  const whole = n - (n % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    a += matrix[row + i] * x[i];
    b += matrix[row + i + 1] * x[i + 1];
    c += matrix[row + i + 2] * x[i + 2];
    d += matrix[row + i + 3] * x[i + 3];
  }
  for (let i = whole; i < n; i++) a += matrix[row + i] * x[i];
  return a + b + (c + d);
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
