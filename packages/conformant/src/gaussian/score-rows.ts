import type { KnownPattern } from "./known-pattern.ts";
import { triangle } from "./moments.ts";

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

/**
 * Scores the listed rows, all of the given pattern, four at a time: each number of the pattern is read once for all of them. Where
 * fewer than four are left the last stands in for the others.
 */
export function scoreRows(
  { known, numbers, stride, tilted }: KnownPattern,
  M: number,
  K: number,
  rows: ArrayLike<number>,
  { cells, n, density, shift }: ScoreRows,
): void {
  const o = known.length;
  const y = new Float64Array(4 * o);
  const rest = new Float64Array(4 * o);
  const sums = new Float64Array(4);
  for (let r = 0; r < rows.length; r += 4) {
    const count = Math.min(4, rows.length - r);
    for (let s = 0; s < 4; s++) {
      const start = rows[r + Math.min(s, count - 1)] * n;
      for (let i = 0; i < o; i++) y[4 * i + s] = cells[start + known[i]];
    }
    for (let m = 0, at = 0; m < M; m++, at += stride) {
      const inverse = at + 1 + K + o;
      subtractMean(y, numbers, at + 1 + K, o, rest);
      squareFour(numbers, inverse, o, rest, sums);
      for (let s = 0; s < count; s++) density[rows[r + s] * M + m] += numbers[at] - sums[s] / 2;
      for (let t = 0; t < tilted.length; t++) {
        const k = tilted[t];
        multiplyFour(numbers, inverse + triangle(o) + k * o, o, rest, sums);
        for (let s = 0; s < count; s++) shift[(rows[r + s] * M + m) * K + k] += numbers[at + 1 + k] + sums[s];
      }
    }
  }
}

/** y − μ for four rows, o × 4. */
function subtractMean(
  y: Float64Array,
  numbers: Float64Array,
  centre: number,
  o: number,
  rest: Float64Array,
): void {
  for (let i = 0, e = 0; i < o; i++, e += 4) {
    const mean = numbers[centre + i];
    rest[e] = y[e] - mean;
    rest[e + 1] = y[e + 1] - mean;
    rest[e + 2] = y[e + 2] - mean;
    rest[e + 3] = y[e + 3] - mean;
  }
}

/** v·x for four columns x, o × 4. */
function multiplyFour(v: Float64Array, at: number, o: number, x: Float64Array, sums: Float64Array): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = at, e = 0; i < at + o; i++, e += 4) {
    const p = v[i];
    a += p * x[e];
    b += p * x[e + 1];
    c += p * x[e + 2];
    d += p * x[e + 3];
  }
  sums[0] = a;
  sums[1] = b;
  sums[2] = c;
  sums[3] = d;
}

/** |W x|² for a lower triangle W and four columns x, o × 4; two rows of W at a time: eight sums for six numbers read. */
function squareFour(w: Float64Array, at: number, o: number, x: Float64Array, sums: Float64Array): void {
  let q0 = 0;
  let q1 = 0;
  let q2 = 0;
  let q3 = 0;
  // An odd row comes first: it has one entry.
  if (o & 1) {
    q0 = (w[at] * x[0]) ** 2;
    q1 = (w[at] * x[1]) ** 2;
    q2 = (w[at] * x[2]) ** 2;
    q3 = (w[at] * x[3]) ** 2;
  }
  for (let i = o & 1; i < o; i += 2) {
    const row = at + triangle(i);
    const next = row + i + 1;
    let a0 = 0;
    let a1 = 0;
    let a2 = 0;
    let a3 = 0;
    let e = 4 * i + 4;
    const last = w[next + i + 1];
    let b0 = last * x[e];
    let b1 = last * x[e + 1];
    let b2 = last * x[e + 2];
    let b3 = last * x[e + 3];
    e = 0;
    for (let j = row; j < next; j++, e += 4) {
      const p = w[j];
      const q = w[j + i + 1];
      const x0 = x[e];
      const x1 = x[e + 1];
      const x2 = x[e + 2];
      const x3 = x[e + 3];
      a0 += p * x0;
      a1 += p * x1;
      a2 += p * x2;
      a3 += p * x3;
      b0 += q * x0;
      b1 += q * x1;
      b2 += q * x2;
      b3 += q * x3;
    }
    q0 += a0 * a0 + b0 * b0;
    q1 += a1 * a1 + b1 * b1;
    q2 += a2 * a2 + b2 * b2;
    q3 += a3 * a3 + b3 * b3;
  }
  sums[0] = q0;
  sums[1] = q1;
  sums[2] = q2;
  sums[3] = q3;
}
