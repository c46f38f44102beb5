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
