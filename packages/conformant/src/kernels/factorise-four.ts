import { triangle } from "../linalg/triangle.ts";

/**
 * Cholesky factors of the chosen part of four matrices at once, as `factorise` of kernels.ts. The four sums of each entry do not wait
 * for one another, which a single one would, and two columns at a time read the row once for both.
 */
export function factoriseFour(
  matrix: Float64Array,
  columns: Int32Array,
  from: number,
  work: Float64Array,
): void {
  const count = columns.length - from;
  for (let i = 0; i < count; i++) {
    const start = 4 * triangle(columns[from + i]);
    solveRow(matrix, start, columns, from, i, work, i);
    invertRoot(matrix, start + 4 * columns[from + i], work, 4 * i * count, 4 * i);
  }
}

/** The first `known` entries of L⁻¹ b as row i of `work`. */
export function solveRow(
  source: Float64Array,
  start: number,
  columns: Int32Array,
  from: number,
  known: number,
  work: Float64Array,
  i: number,
): void {
  const width = 4 * (columns.length - from);
  const row = i * width;
  let j = 0;
  for (; j + 1 < known; j += 2) {
    const one = start + 4 * columns[from + j];
    const two = start + 4 * columns[from + j + 1];
    solveTwo(source, one, two, work, row, j * width, width, 4 * j);
  }
  if (j < known) solveOne(source, start + 4 * columns[from + j], work, row, j * width, 4 * j);
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
