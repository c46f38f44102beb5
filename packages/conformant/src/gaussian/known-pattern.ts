import type { Block, Pattern } from "./block.ts";
import { HALF_LOG_TWO_PI } from "./condition.ts";
import { factoriseFour, gatherFour } from "./factorise-four.ts";
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
  /** The classes for which a hidden cell counts; t of the others is 0. */
  readonly tilted: Int32Array;
}

/** How many numbers a component has for a pattern with o known cells. */
export function strideOf(K: number, o: number): number {
  return 1 + K + o + triangle(o) + K * o;
}

/** Prepares a pattern: one Cholesky factor per component, four at a time. */
export function prepare(block: Block, factors: readonly GaussianFactor[], pattern: Pattern): KnownPattern {
  const [o, M] = [pattern.known.length, factors.length];
  const stride = strideOf(block.K, o);
  const numbers = new Float64Array(stride * M);
  const tilted = tiltedClasses(block, pattern);
  const work = new Float64Array((o + tilted.length) * o * 4);
  for (let m = 0; m < M; m += 4) {
    fillFour(block, fourFrom(factors, m), pattern, tilted, work, numbers, m * stride, Math.min(4, M - m));
  }
  return { known: pattern.known, hidden: pattern.hidden, tilted, numbers, stride };
}

/** Four factors from the m-th on; where there are fewer the last of all stands in for those that are not there. */
export function fourFrom(factors: readonly GaussianFactor[], m: number): GaussianFactor[] {
  const last = factors.length - 1;
  return [
    factors[m],
    factors[Math.min(m + 1, last)],
    factors[Math.min(m + 2, last)],
    factors[Math.min(m + 3, last)],
  ];
}

/** The classes for which a hidden cell counts. */
export function tiltedClasses({ weights, K, columns }: Block, { hidden }: Pattern): Int32Array {
  const n = columns.length;
  const classes = Array.from({ length: K }, (_, k) => k);
  return Int32Array.from(classes.filter((k) => hidden.some((i) => weights[k * n + i] !== 0)));
}

function fillFour(
  block: Block,
  four: readonly GaussianFactor[],
  pattern: Pattern,
  tilted: Int32Array,
  work: Float64Array,
  out: Float64Array,
  at: number,
  lanes: number,
): void {
  const { K } = block;
  const { known } = pattern;
  const [n, o] = [four[0].mean.length, known.length];
  const stride = strideOf(K, o);
  gatherFour(work, four, pattern, n);
  for (let t = 0; t < tilted.length; t++) {
    for (let lane = 0; lane < 4; lane++) {
      const own = tilt(block, four[lane], pattern, tilted[t], work, (o + t) * o * 4 + lane);
      if (lane < lanes) out[at + lane * stride + 1 + tilted[t]] = own;
    }
  }
  const logs = factoriseFour(work, o, o + tilted.length);
  for (let lane = 0; lane < lanes; lane++) {
    const start = at + lane * stride;
    const centre = start + 1 + K;
    out[start] = -o * HALF_LOG_TWO_PI - logs[lane];
    for (let i = 0; i < o; i++) out[centre + i] = four[lane].mean[known[i]];
    let to = centre + o;
    for (let i = 0; i < o; i++)
      for (let j = 0; j <= i; j++) out[to++] = work[(i * o + j) * 4 + lane];
    for (let t = 0; t < tilted.length; t++) {
      let squares = 0;
      for (let i = 0; i < o; i++) {
        const x = work[((o + t) * o + i) * 4 + lane];
        out[to + tilted[t] * o + i] = x;
        squares += x * x;
      }
      out[start + 1 + tilted[t]] -= squares / 2;
    }
  }
}

/** Writes Σ_oh w_k,h, every fourth entry from `at`, and returns w_k,h·μ_h + ½ w_k,hᵀ Σ_hh w_k,h. */
export function tilt(
  { weights }: Block,
  { mean, covariance }: GaussianFactor,
  { known, hidden }: Pattern,
  k: number,
  work: Float64Array,
  at: number,
): number {
  const n = mean.length;
  const sums = sumsOf(n);
  let own = 0;
  for (let a = 0; a < hidden.length; a++) {
    const row = hidden[a] * n;
    const w = weights[k * n + hidden[a]];
    own += w * mean[hidden[a]];
    for (let j = 0; j < n; j++) sums[j] += w * covariance[row + j];
  }
  for (let a = 0; a < hidden.length; a++) own += (weights[k * n + hidden[a]] * sums[hidden[a]]) / 2;
  for (let i = 0; i < known.length; i++) work[at + 4 * i] = sums[known[i]];
  return own;
}

let scratch = new Float64Array(64);

/** n zeros, always in the same place. */
function sumsOf(n: number): Float64Array {
  if (scratch.length < n) scratch = new Float64Array(2 * n);
  return scratch.fill(0, 0, n);
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
  let r = 0;
  for (; r + 4 <= rows.length; r += 4) {
    for (let m = 0; m < M; m++) scoreFour(pattern, m, M, K, rows, r, where, z);
  }
  for (; r < rows.length; r++) {
    for (let m = 0; m < M; m++) scoreOne(pattern, m, M, K, rows[r], where, z);
  }
}

function scoreOne(
  { known, numbers, stride, tilted }: KnownPattern,
  m: number,
  M: number,
  K: number,
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
  for (let t = 0; t < tilted.length; t++) {
    const k = tilted[t];
    let sum = numbers[at + 1 + k];
    const from = lower + triangle(o) + k * o;
    for (let i = 0; i < o; i++) sum += numbers[from + i] * z[i];
    shift[(row * M + m) * K + k] += sum;
  }
}

/** Four rows at a time: each number of the pattern is read once for all of them. */
function scoreFour(
  { known, numbers, stride, tilted }: KnownPattern,
  m: number,
  M: number,
  K: number,
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
  for (let t = 0; t < tilted.length; t++) {
    const k = tilted[t];
    const own = numbers[at + 1 + k];
    let [s0, s1, s2, s3] = [own, own, own, own];
    const from = lower + triangle(o) + k * o;
    for (let i = 0; i < o; i++) {
      const tilting = numbers[from + i];
      s0 += tilting * z[4 * i];
      s1 += tilting * z[4 * i + 1];
      s2 += tilting * z[4 * i + 2];
      s3 += tilting * z[4 * i + 3];
    }
    shift[(r0 * M + m) * K + k] += s0;
    shift[(r1 * M + m) * K + k] += s1;
    shift[(r2 * M + m) * K + k] += s2;
    shift[(r3 * M + m) * K + k] += s3;
  }
}
