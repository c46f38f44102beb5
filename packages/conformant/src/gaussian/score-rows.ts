import type { KnownPattern } from "./known-pattern.ts";
import { triangle } from "./moments.ts";

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
  const x = new Float64Array(4 * pattern.known.length);
  let r = 0;
  for (; r + 4 <= rows.length; r += 4) {
    gatherRows(pattern.known, rows, r, where, x);
    for (let m = 0; m < M; m++) scoreFour(pattern, m, M, K, rows, r, where, x, z);
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
  { density, shift }: ScoreRows,
  x: Float64Array,
  z: Float64Array,
): void {
  const o = known.length;
  const at = m * stride;
  const centre = at + 1 + K;
  const lower = centre + o;
  for (let i = 0, from = 0; i < o; i++, from += 4) {
    const mean = numbers[centre + i];
    z[from] = x[from] - mean;
    z[from + 1] = x[from + 1] - mean;
    z[from + 2] = x[from + 2] - mean;
    z[from + 3] = x[from + 3] - mean;
  }
  forwardFour(numbers, lower, o, z);
  addDensities(numbers[at], z, o, density, rows, r, m, M);
  for (let t = 0; t < tilted.length; t++) {
    const k = tilted[t];
    const from = lower + triangle(o) + k * o;
    let s0 = numbers[at + 1 + k];
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let i = 0; i < o; i++) {
      const tilting = numbers[from + i];
      s0 += tilting * z[4 * i];
      s1 += tilting * z[4 * i + 1];
      s2 += tilting * z[4 * i + 2];
      s3 += tilting * z[4 * i + 3];
    }
    shift[(rows[r] * M + m) * K + k] += s0;
    shift[(rows[r + 1] * M + m) * K + k] += s1;
    shift[(rows[r + 2] * M + m) * K + k] += s2;
    shift[(rows[r + 3] * M + m) * K + k] += s3;
  }
}

/** Solves L Z = B in place for four right-hand sides, o × 4, two rows of L at a time: eight sums for six numbers read. */
function forwardFour(l: Float64Array, at: number, o: number, z: Float64Array): void {
  for (let i = 0; i < o; i += 2) {
    const row = at + triangle(i);
    const next = i + 1 < o ? row + i + 1 : row;
    const here = 4 * i;
    const there = i + 1 < o ? here + 4 : here;
    let a0 = z[here];
    let a1 = z[here + 1];
    let a2 = z[here + 2];
    let a3 = z[here + 3];
    let b0 = z[there];
    let b1 = z[there + 1];
    let b2 = z[there + 2];
    let b3 = z[there + 3];
    for (let j = 0, from = 0; j < i; j++, from += 4) {
      const p = l[row + j];
      const q = l[next + j];
      const z0 = z[from];
      const z1 = z[from + 1];
      const z2 = z[from + 2];
      const z3 = z[from + 3];
      a0 -= p * z0;
      a1 -= p * z1;
      a2 -= p * z2;
      a3 -= p * z3;
      b0 -= q * z0;
      b1 -= q * z1;
      b2 -= q * z2;
      b3 -= q * z3;
    }
    const inverse = l[row + i];
    z[here] = a0 *= inverse;
    z[here + 1] = a1 *= inverse;
    z[here + 2] = a2 *= inverse;
    z[here + 3] = a3 *= inverse;
    if (there === here) return;
    const p = l[next + i];
    const last = l[next + i + 1];
    z[there] = (b0 - p * a0) * last;
    z[there + 1] = (b1 - p * a1) * last;
    z[there + 2] = (b2 - p * a2) * last;
    z[there + 3] = (b3 - p * a3) * last;
  }
}

/** The known cells of four rows, interleaved: o × 4. */
function gatherRows(
  known: Int32Array,
  rows: ArrayLike<number>,
  r: number,
  { cells, n }: ScoreRows,
  x: Float64Array,
): void {
  for (let s = 0; s < 4; s++) {
    const start = rows[r + s] * n;
    for (let i = 0; i < known.length; i++) x[4 * i + s] = cells[start + known[i]];
  }
}

/** Adds constant − ½ z·z to the densities of four rows. */
function addDensities(
  constant: number,
  z: Float64Array,
  o: number,
  density: Float64Array,
  rows: ArrayLike<number>,
  r: number,
  m: number,
  M: number,
): void {
  let q0 = 0;
  let q1 = 0;
  let q2 = 0;
  let q3 = 0;
  for (let i = 0; i < 4 * o; i += 4) {
    q0 += z[i] * z[i];
    q1 += z[i + 1] * z[i + 1];
    q2 += z[i + 2] * z[i + 2];
    q3 += z[i + 3] * z[i + 3];
  }
  density[rows[r] * M + m] += constant - q0 / 2;
  density[rows[r + 1] * M + m] += constant - q1 / 2;
  density[rows[r + 2] * M + m] += constant - q2 / 2;
  density[rows[r + 3] * M + m] += constant - q3 / 2;
}
