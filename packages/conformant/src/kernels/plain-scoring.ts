import { triangle } from "../math/cholesky.ts";
import { exponential } from "../math/exponential.ts";
import { type EntryRows, type Kernels, TILE } from "./kernels.ts";
import { conditionRows, eliminate } from "./plain-gaussian.ts";

/** Squares and tilts of tiles of rows. */
export const scoreTiles: Kernels["scoreTiles"] = (numbers, o, tilts, components, cells, rows, out) => {
  const stride = numbers.length / components;
  const width = components * (1 + tilts);
  // Half a tile at a time: eight rows and their sums would not fit into the registers.
  for (let half = 0; 4 * half < rows; half++) {
    const x = TILE * o * (half >> 1) + 4 * (half & 1);
    let to = 4 * width * half;
    for (let m = 0, at = 0; m < components; m++, at += stride) {
      squareFour(numbers, at, o, cells, x, out, to++, width);
      for (let t = 0, v = at + o + triangle(o); t < tilts; t++, v += 1 + o)
        sumFour(numbers, v, o, cells, x, out, to++, width);
    }
  }
};

/** d + v·x for four columns x of o × 8. */
function sumFour(
  v: Float64Array,
  at: number,
  o: number,
  x: Float64Array,
  from: number,
  out: Float64Array,
  to: number,
  width: number,
): void {
  let a = v[at];
  let b = a;
  let c = a;
  let d = a;
  for (let i = at + 1, e = from; i <= at + o; i++, e += TILE) {
    const p = v[i];
    a += p * x[e];
    b += p * x[e + 1];
    c += p * x[e + 2];
    d += p * x[e + 3];
  }
  out[to] = a;
  out[to + width] = b;
  out[to + 2 * width] = c;
  out[to + 3 * width] = d;
}

/** |c + W x|² for a lower triangle W and four columns x of o × 8; two rows of W at a time: eight sums for six numbers read. */
function squareFour(
  w: Float64Array,
  at: number,
  o: number,
  x: Float64Array,
  from: number,
  out: Float64Array,
  to: number,
  width: number,
): void {
  let q0 = 0;
  let q1 = 0;
  let q2 = 0;
  let q3 = 0;
  let row = at + o;
  // An odd row comes first: it has one entry.
  if (o & 1) {
    q0 = (w[at] + w[row] * x[from]) ** 2;
    q1 = (w[at] + w[row] * x[from + 1]) ** 2;
    q2 = (w[at] + w[row] * x[from + 2]) ** 2;
    q3 = (w[at] + w[row] * x[from + 3]) ** 2;
    row++;
  }
  for (let i = o & 1; i < o; i += 2) {
    const length = i + 1;
    const end = row + length;
    let a0 = w[at + i];
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    let b0 = w[at + i + 1];
    let b1 = b0;
    let b2 = b0;
    let b3 = b0;
    let e = from;
    for (; row < end; row++, e += TILE) {
      const p = w[row];
      const q = w[row + length];
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
    row += length;
    const last = w[row++];
    b0 += last * x[e];
    b1 += last * x[e + 1];
    b2 += last * x[e + 2];
    b3 += last * x[e + 3];
    q0 += a0 * a0 + b0 * b0;
    q1 += a1 * a1 + b1 * b1;
    q2 += a2 * a2 + b2 * b2;
    q3 += a3 * a3 + b3 * b3;
  }
  out[to] = q0;
  out[to + width] = q1;
  out[to + 2 * width] = q2;
  out[to + 3 * width] = q3;
}

/** For each row the sums of the table's lines that its codes name, eight numbers a line; four at a time, which stay in registers. */
export function addStates(table: Float64Array, codes: Int32Array, groups: number, out: Float64Array): void {
  const rows = codes.length / groups;
  for (let r = 0; r < rows; r++) {
    addFour(table, codes, r * groups, (r + 1) * groups, 0, out, 8 * r);
    addFour(table, codes, r * groups, (r + 1) * groups, 4, out, 8 * r + 4);
  }
}

function addFour(
  table: Float64Array,
  codes: Int32Array,
  start: number,
  end: number,
  offset: number,
  out: Float64Array,
  to: number,
): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let at = start; at < end; at++) {
    const t = codes[at] + offset;
    a += table[t];
    b += table[t + 1];
    c += table[t + 2];
    d += table[t + 3];
  }
  out[to] = a;
  out[to + 1] = b;
  out[to + 2] = c;
  out[to + 3] = d;
}

/*
 * The plain loops of class scores. Scores stand by class, K × stride, so that the same operation is done to the rows one after the other.
 */

/** Adds w_k·x, or the gap's score where x is NaN, column by column. */
export function addNumbers(
  cells: Float64Array,
  weights: Float64Array,
  gaps: Float64Array,
  K: number,
  scores: Float64Array,
): void {
  const stride = scores.length / K;
  for (let at = 0; at < weights.length; at++) {
    const [from, to] = [Math.floor(at / K) * stride, (at % K) * stride];
    const [w, gap] = [weights[at], gaps[at]];
    for (let r = 0; r < stride; r++) {
      const x = cells[from + r];
      scores[to + r] += Number.isNaN(x) ? gap : w * x;
    }
  }
}

/** Turns the scores of each row into probabilities, rows × K. */
export function classProbabilities(scores: Float64Array, K: number, out: Float64Array): void {
  const stride = scores.length / K;
  for (let r = 0; r < stride; r++) {
    let largest = scores[r];
    for (let at = r + stride; at < scores.length; at += stride)
      if (scores[at] > largest) largest = scores[at];
    let sum = 0;
    for (let at = r, to = r * K; at < scores.length; at += stride, to++) {
      out[to] = exponential(scores[at] - largest);
      sum += out[to];
    }
    for (let to = r * K; to < (r + 1) * K; to++) out[to] /= sum;
  }
}

/** Replaces each row's numbers x by e^(x − their largest), rows × width. */
export function exponentials(values: Float64Array, rows: number, width: number): void {
  for (let r = 0, start = 0; r < rows; r++, start += width) {
    const end = start + width;
    let largest = values[start];
    for (let at = start + 1; at < end; at++) if (values[at] > largest) largest = values[at];
    for (let at = start; at < end; at++) values[at] = exponential(values[at] - largest);
  }
}

/*
 * The plain loops over rows of entries, for four outputs: their sums stay in registers, which a loop over outputs inside the loop over
 * entries would not. Arrays over (something, output) are row-major.
 */

/** scores_r = base + Σ_{entries p of row r} table_p for the rows from … to − 1. */
export function scoreEntries(
  { rowStart, entries }: EntryRows,
  from: number,
  to: number,
  base: Float64Array,
  table: Float64Array,
  scores: Float64Array,
  line: number,
): void {
  for (let r = from; r < to; r++) {
    let a = base[0];
    let b = base[1];
    let c = base[2];
    let d = base[3];
    const end = rowStart[r + 1];
    for (let i = rowStart[r]; i < end; i++) {
      const t = 4 * entries[i];
      a += table[t];
      b += table[t + 1];
      c += table[t + 2];
      d += table[t + 3];
    }
    const s = line * (r - from);
    scores[s] = a;
    scores[s + 1] = b;
    scores[s + 2] = c;
    scores[s + 3] = d;
  }
}

/** sums_p += Σ_{rows r with entry p} residuals_r, over the rows from … to − 1; rows without residuals are passed over. */
export function scatterEntries(
  { rowStart, entries }: EntryRows,
  from: number,
  to: number,
  residuals: Float64Array,
  sums: Float64Array,
  line: number,
): void {
  for (let r = from; r < to; r++) {
    const s = line * (r - from);
    const a = residuals[s];
    const b = residuals[s + 1];
    const c = residuals[s + 2];
    const d = residuals[s + 3];
    if (a === 0 && b === 0 && c === 0 && d === 0) continue;
    const end = rowStart[r + 1];
    for (let i = rowStart[r]; i < end; i++) {
      const t = 4 * entries[i];
      sums[t] += a;
      sums[t + 1] += b;
      sums[t + 2] += c;
      sums[t + 3] += d;
    }
  }
}

/** The loops as every engine has them, over arrays of their own. */
export const plainKernels: Kernels = {
  numbers: (count) => new Float64Array(count),
  integers: (count) => new Int32Array(count),
  hold: (values) => values,
  holdEntries: (rows) => rows,
  scoreTiles,
  eliminate,
  conditionRows,
  scoreEntries,
  scatterEntries,
  addStates,
  addNumbers,
  classProbabilities,
  exponentials,
};
