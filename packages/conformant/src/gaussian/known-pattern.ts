import type { Block, Pattern } from "./block.ts";
import { HALF_LOG_TWO_PI } from "./condition.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";
import { triangle } from "./moments.ts";

/**
 * All factors of a mixture made ready for rows with one pattern of gaps. Per component, one after the other in `numbers`:
 *
 *     −log |L| − ½ o log 2π                                1
 *     w_k,h·μ_h + ½ w_k,hᵀ Σ_h|o w_k,h                      K
 *     μ_o                                                  o
 *     L of Σ_oo = L Lᵀ, inverses on the diagonal            o (o + 1) / 2, row by row
 *     t_k = L⁻¹ Σ_oh w_k,h                                  K × o
 *
 * so that a row costs one forward substitution z = L⁻¹ (y_o − μ_o), its square, and K products t_k·z.
 */
export interface KnownPattern extends Pattern {
  readonly numbers: Float64Array;
  /** How many numbers a component has. */
  readonly stride: number;
}

/** Prepares a pattern: one Cholesky factor per component. */
export function prepare(block: Block, factors: readonly GaussianFactor[], pattern: Pattern): KnownPattern {
  const o = pattern.known.length;
  const stride = 1 + block.K + o + triangle(o) + block.K * o;
  const numbers = new Float64Array(stride * factors.length);
  for (let m = 0; m < factors.length; m++) fill(block, factors[m], pattern, numbers, m * stride);
  return { ...pattern, numbers, stride };
}

function fill(
  { weights, K }: Block,
  { mean, covariance }: GaussianFactor,
  { known, hidden }: Pattern,
  out: Float64Array,
  at: number,
): void {
  const [n, o, h] = [mean.length, known.length, hidden.length];
  const centre = at + 1 + K;
  const lower = centre + o;
  const tilts = lower + triangle(o);
  for (let i = 0; i < o; i++) out[centre + i] = mean[known[i]];
  out[at] = -o * HALF_LOG_TWO_PI - factorise(covariance, n, known, out, lower);
  for (let k = 0; k < K; k++) {
    let own = 0;
    for (let a = 0; a < h; a++) {
      const w = weights[k * n + hidden[a]];
      if (w === 0) continue;
      const row = hidden[a] * n;
      let spread = 0;
      for (let b = 0; b < h; b++) spread += covariance[row + hidden[b]] * weights[k * n + hidden[b]];
      own += w * (mean[hidden[a]] + spread / 2);
      for (let i = 0; i < o; i++) out[tilts + k * o + i] += w * covariance[row + known[i]];
    }
    out[at + 1 + k] = own - forward(out, lower, o, out, tilts + k * o) / 2;
  }
}

/** Writes L of the known part row by row, inverses on its diagonal, and returns log |L|. */
function factorise(
  covariance: Float64Array,
  n: number,
  known: Int32Array,
  out: Float64Array,
  at: number,
): number {
  let logDeterminant = 0;
  for (let i = 0, row = at; i < known.length; row += ++i) {
    const from = known[i] * n;
    for (let j = 0, other = at; j <= i; other += ++j) {
      let sum = covariance[from + known[j]];
      for (let c = 0; c < j; c++) sum -= out[row + c] * out[other + c];
      if (j < i) out[row + j] = sum * out[other + j];
      else {
        const root = Math.sqrt(sum);
        logDeterminant += Math.log(root);
        out[row + i] = 1 / root;
      }
    }
  }
  return logDeterminant;
}

/** Solves L z = b in place and returns z·z. */
function forward(l: Float64Array, at: number, o: number, x: Float64Array, from: number): number {
  let squares = 0;
  for (let i = 0, row = at; i < o; row += ++i) {
    let sum = x[from + i];
    for (let j = 0; j < i; j++) sum -= l[row + j] * x[from + j];
    const z = sum * l[row + i];
    x[from + i] = z;
    squares += z * z;
  }
  return squares;
}

/** Where rows stand and where their scores go. */
export interface ScoreRows {
  /** Block cells, n per row. */
  readonly cells: Float64Array;
  readonly n: number;
  /** log N(y_o; μ_o, Σ_oo), rows × M, added to. */
  readonly density: Float64Array;
  /** w_k,h·E[x_h | y_o] + ½ w_k,hᵀ Σ_h|o w_k,h, rows × (M·K), added to. */
  readonly shift: Float64Array;
}

/** Scores the listed rows, all of the given pattern. */
export function scoreRows(
  pattern: KnownPattern,
  M: number,
  K: number,
  rows: ArrayLike<number>,
  where: ScoreRows,
): void {
  const z = new Float64Array(4 * pattern.known.length);
  const tilted = Uint8Array.from({ length: K }, (_, k) => (isTilted(pattern, k, M, K) ? 1 : 0));
  let r = 0;
  for (; r + 4 <= rows.length; r += 4) {
    for (let m = 0; m < M; m++) scoreFour(pattern, m, M, K, tilted, rows, r, where, z);
  }
  for (; r < rows.length; r++) {
    for (let m = 0; m < M; m++) scoreOne(pattern, m, M, K, tilted, rows[r], where, z);
  }
}

/** Whether the known cells say anything about the hidden ones' part of class k in any component. */
function isTilted({ known, numbers, stride }: KnownPattern, k: number, M: number, K: number): boolean {
  const o = known.length;
  for (let m = 0; m < M; m++) {
    const from = m * stride + 1 + K + o + triangle(o) + k * o;
    for (let i = 0; i < o; i++) if (numbers[from + i] !== 0) return true;
  }
  return false;
}

function scoreOne(
  { known, numbers, stride }: KnownPattern,
  m: number,
  M: number,
  K: number,
  tilted: Uint8Array,
  row: number,
  { cells, n, density, shift }: ScoreRows,
  z: Float64Array,
): void {
  const o = known.length;
  const at = m * stride;
  const centre = at + 1 + K;
  const lower = centre + o;
  for (let i = 0; i < o; i++) z[i] = cells[row * n + known[i]] - numbers[centre + i];
  density[row * M + m] += numbers[at] - forward(numbers, lower, o, z, 0) / 2;
  for (let k = 0; k < K; k++) {
    let sum = numbers[at + 1 + k];
    const from = lower + triangle(o) + k * o;
    if (tilted[k] === 1) for (let i = 0; i < o; i++) sum += numbers[from + i] * z[i];
    shift[(row * M + m) * K + k] += sum;
  }
}

/** Four rows at a time: each number of the pattern is read once for all of them. */
function scoreFour(
  { known, numbers, stride }: KnownPattern,
  m: number,
  M: number,
  K: number,
  tilted: Uint8Array,
  rows: ArrayLike<number>,
  r: number,
  { cells, n, density, shift }: ScoreRows,
  z: Float64Array,
): void {
  const o = known.length;
  const at = m * stride;
  const centre = at + 1 + K;
  const lower = centre + o;
  const [r0, r1, r2, r3] = [rows[r], rows[r + 1], rows[r + 2], rows[r + 3]];
  let [q0, q1, q2, q3] = [0, 0, 0, 0];
  for (let i = 0, row = lower; i < o; row += ++i) {
    const [c, mean] = [known[i], numbers[centre + i]];
    let a0 = cells[r0 * n + c] - mean;
    let a1 = cells[r1 * n + c] - mean;
    let a2 = cells[r2 * n + c] - mean;
    let a3 = cells[r3 * n + c] - mean;
    for (let j = 0; j < i; j++) {
      const l = numbers[row + j];
      a0 -= l * z[4 * j];
      a1 -= l * z[4 * j + 1];
      a2 -= l * z[4 * j + 2];
      a3 -= l * z[4 * j + 3];
    }
    const inverse = numbers[row + i];
    z[4 * i] = a0 *= inverse;
    z[4 * i + 1] = a1 *= inverse;
    z[4 * i + 2] = a2 *= inverse;
    z[4 * i + 3] = a3 *= inverse;
    q0 += a0 * a0;
    q1 += a1 * a1;
    q2 += a2 * a2;
    q3 += a3 * a3;
  }
  density[r0 * M + m] += numbers[at] - q0 / 2;
  density[r1 * M + m] += numbers[at] - q1 / 2;
  density[r2 * M + m] += numbers[at] - q2 / 2;
  density[r3 * M + m] += numbers[at] - q3 / 2;
  for (let k = 0; k < K; k++) {
    const own = numbers[at + 1 + k];
    let [s0, s1, s2, s3] = [own, own, own, own];
    const from = lower + triangle(o) + k * o;
    for (let i = 0; i < o && tilted[k] === 1; i++) {
      const t = numbers[from + i];
      s0 += t * z[4 * i];
      s1 += t * z[4 * i + 1];
      s2 += t * z[4 * i + 2];
      s3 += t * z[4 * i + 3];
    }
    shift[(r0 * M + m) * K + k] += s0;
    shift[(r1 * M + m) * K + k] += s1;
    shift[(r2 * M + m) * K + k] += s2;
    shift[(r3 * M + m) * K + k] += s3;
  }
}
