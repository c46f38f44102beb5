import { laneRow } from "./four-factors.ts";

/** Products of pivots within these bounds can be multiplied by one more without leaving the range of numbers. */
const [TINY, HUGE] = [1e-140, 1e140];

/** Some columns of a matrix of lanes over n columns: `columns[from]` and on. */
export interface LaneColumns {
  readonly matrix: Float64Array;
  readonly n: number;
  readonly columns: Int32Array;
  readonly from: number;
}

/**
 * Cholesky factors L of the chosen part, o × o, of four matrices at once. The four sums of each entry do not wait for one
 * another, which a single one would, and two columns at a time read the row once for both.
 *
 * Entries stand in lanes of four: `work[(i * o + j) * 4 + lane]`, with inverses on the diagonal.
 *
 * @param logs log |L| per lane, added to
 */
export function factoriseFour(part: LaneColumns, work: Float64Array, logs: Float64Array): void {
  const { matrix, n, columns, from } = part;
  const o = columns.length - from;
  for (let i = 0; i < o; i++) {
    const start = laneRow(n, columns[from + i]);
    solveRow(part, matrix, start, i, work, i);
    invertRoot(matrix, start + 4 * columns[from + i], work, 4 * i * o, 4 * i);
  }
  addLogRoots(work, o, logs);
}

/**
 * L⁻¹ b for the part of a row b in the chosen columns, of which the first `count`, as row i of `work`.
 *
 * @param source where b stands in lanes, from `start`
 */
export function solveRow(
  { columns, from }: LaneColumns,
  source: Float64Array,
  start: number,
  count: number,
  work: Float64Array,
  i: number,
): void {
  const width = 4 * (columns.length - from);
  const row = i * width;
  let j = 0;
  for (; j + 1 < count; j += 2) {
    const [one, two] = [start + 4 * columns[from + j], start + 4 * columns[from + j + 1]];
    solveTwo(source, one, two, work, row, j * width, width, 4 * j);
  }
  if (j < count) solveOne(source, start + 4 * columns[from + j], work, row, j * width, 4 * j);
}

/** Entries j and j + 1 of a row, given those before; `e` is 4 j. */
function solveTwo(
  source: Float64Array,
  one: number,
  two: number,
  work: Float64Array,
  row: number,
  first: number,
  width: number,
  e: number,
): void {
  const second = first + width;
  const at = row + e;
  let a0 = source[one];
  let a1 = source[one + 1];
  let a2 = source[one + 2];
  let a3 = source[one + 3];
  let b0 = source[two];
  let b1 = source[two + 1];
  let b2 = source[two + 2];
  let b3 = source[two + 3];
  for (let x = row, p = first, q = second; x < at; x += 4, p += 4, q += 4) {
    const x0 = work[x];
    const x1 = work[x + 1];
    const x2 = work[x + 2];
    const x3 = work[x + 3];
    a0 -= x0 * work[p];
    a1 -= x1 * work[p + 1];
    a2 -= x2 * work[p + 2];
    a3 -= x3 * work[p + 3];
    b0 -= x0 * work[q];
    b1 -= x1 * work[q + 1];
    b2 -= x2 * work[q + 2];
    b3 -= x3 * work[q + 3];
  }
  const p = first + e;
  const q = second + e;
  work[at] = a0 *= work[p];
  work[at + 1] = a1 *= work[p + 1];
  work[at + 2] = a2 *= work[p + 2];
  work[at + 3] = a3 *= work[p + 3];
  work[at + 4] = (b0 - a0 * work[q]) * work[q + 4];
  work[at + 5] = (b1 - a1 * work[q + 1]) * work[q + 5];
  work[at + 6] = (b2 - a2 * work[q + 2]) * work[q + 6];
  work[at + 7] = (b3 - a3 * work[q + 3]) * work[q + 7];
}

/** Entry j of a row, given those before. */
function solveOne(
  source: Float64Array,
  one: number,
  work: Float64Array,
  row: number,
  other: number,
  e: number,
): void {
  const at = row + e;
  let a = source[one];
  let b = source[one + 1];
  let c = source[one + 2];
  let d = source[one + 3];
  for (let x = row, p = other; x < at; x += 4, p += 4) {
    a -= work[x] * work[p];
    b -= work[x + 1] * work[p + 1];
    c -= work[x + 2] * work[p + 2];
    d -= work[x + 3] * work[p + 3];
  }
  const p = other + e;
  work[at] = a * work[p];
  work[at + 1] = b * work[p + 1];
  work[at + 2] = c * work[p + 2];
  work[at + 3] = d * work[p + 3];
}

/** The diagonal entry of a row, given those before: the inverse of its root. */
function invertRoot(source: Float64Array, one: number, work: Float64Array, row: number, e: number): void {
  const at = row + e;
  let a = source[one];
  let b = source[one + 1];
  let c = source[one + 2];
  let d = source[one + 3];
  for (let x = row; x < at; x += 4) {
    a -= work[x] * work[x];
    b -= work[x + 1] * work[x + 1];
    c -= work[x + 2] * work[x + 2];
    d -= work[x + 3] * work[x + 3];
  }
  work[at] = 1 / Math.sqrt(a);
  work[at + 1] = 1 / Math.sqrt(b);
  work[at + 2] = 1 / Math.sqrt(c);
  work[at + 3] = 1 / Math.sqrt(d);
}

/** Adds log |L| from the inverses on the diagonal: the logarithm of products, as long as these stay in range. */
function addLogRoots(work: Float64Array, o: number, logs: Float64Array): void {
  for (let lane = 0; lane < 4; lane++) {
    let product = 1;
    const step = 4 * (o + 1);
    for (let at = lane; at < 4 * o * o; at += step) {
      product *= work[at];
      if (product > TINY && product < HUGE) continue;
      logs[lane] -= Math.log(product);
      product = 1;
    }
    logs[lane] -= Math.log(product);
  }
}

/** Adds the products of two rows of `count` entries to four sums, lane by lane. */
export function addProducts(
  x: Float64Array,
  from: number,
  y: Float64Array,
  other: number,
  count: number,
  sums: Float64Array,
  to: number,
): void {
  let a = sums[to];
  let b = sums[to + 1];
  let c = sums[to + 2];
  let d = sums[to + 3];
  for (let i = from, j = other; i < from + 4 * count; i += 4, j += 4) {
    a += x[i] * y[j];
    b += x[i + 1] * y[j + 1];
    c += x[i + 2] * y[j + 2];
    d += x[i + 3] * y[j + 3];
  }
  sums[to] = a;
  sums[to + 1] = b;
  sums[to + 2] = c;
  sums[to + 3] = d;
}
