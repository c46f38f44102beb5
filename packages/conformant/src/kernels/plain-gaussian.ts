import { triangle } from "../math/cholesky.ts";
import type { Eliminated, Kernels } from "./kernels.ts";

/**
 * The known cells of rows in four components. The four sums of each entry do not wait for one another, which a single one would, and
 * two columns at a time read the row once for both.
 */
export const conditionRows: Kernels["conditionRows"] = (four, cells, known, counts, from, to, work, sums) => {
  const { n, tilts } = four;
  const width = 4 * (3 + 2 * tilts);
  for (let r = from; r < to; r++) {
    const columns = known.subarray(r * n, r * n + counts[r]);
    conditionRow(four, cells, r * n, columns, work, sums.subarray(r * width, (r + 1) * width));
  }
};

function conditionRow(
  { n, tilts, depth, matrix, gain, roots, mean }: Eliminated,
  cells: Float64Array,
  start: number,
  known: Int32Array,
  work: Float64Array,
  sums: Float64Array,
): void {
  const own = known.length - depth;
  const lower = 4 * depth;
  const z = lower + 4 * own * own;
  const rest = z + 4 * (1 + tilts) * own;
  for (let i = 0; i < known.length; i++) {
    const c = known[i];
    const to = i < depth ? 4 * i : rest + 4 * c;
    subtractShared(cells, start + c, mean, 4 * c, gain, 4 * c * n, Math.min(i, depth), work, to);
    if (i < depth) for (let lane = 0; lane < 4; lane++) work[to + lane] *= gain[4 * (c * n + i) + lane];
  }
  sums.fill(0);
  for (let e = 0; e < 8; e++) sums[e] = roots[8 * depth + e];
  const columns = known.subarray(depth);
  for (let i = 0, row = lower; i < own; i++, row += 4 * own) {
    const source = 4 * triangle(columns[i]);
    solveRow(matrix, source, columns, i, work, lower, row);
    invertRoot(matrix, source + 4 * columns[i], work, row, 4 * i);
    timesRoots(sums, 0, work, row + 4 * i);
  }
  solveRow(work, rest, columns, own, work, lower, z);
  addProducts(work, 0, work, 0, depth, sums, 8);
  addProducts(work, z, work, z, own, sums, 8);
  for (let t = 0; t < tilts; t++) {
    const g = 4 * (n + t) * n;
    const h = z + 4 * (1 + t) * own;
    const to = 12 + 8 * t;
    solveRow(matrix, 4 * (triangle(n) + t * n), columns, own, work, lower, h);
    addProducts(gain, g, gain, g, depth, sums, to);
    addProducts(work, h, work, h, own, sums, to);
    addProducts(gain, g, work, 0, depth, sums, to + 4);
    addProducts(work, h, work, z, own, sums, to + 4);
  }
}

/** y − μ − Σ_{a < count} G_a z_a of one cell, where z is the beginning of `work`. */
function subtractShared(
  cells: Float64Array,
  cell: number,
  mean: Float64Array,
  mu: number,
  gain: Float64Array,
  row: number,
  count: number,
  work: Float64Array,
  to: number,
): void {
  let a = cells[cell] - mean[mu];
  let b = cells[cell] - mean[mu + 1];
  let c = cells[cell] - mean[mu + 2];
  let d = cells[cell] - mean[mu + 3];
  for (let e = 0; e < 4 * count; e += 4) {
    a -= gain[row + e] * work[e];
    b -= gain[row + e + 1] * work[e + 1];
    c -= gain[row + e + 2] * work[e + 2];
    d -= gain[row + e + 3] * work[e + 3];
  }
  work[to] = a;
  work[to + 1] = b;
  work[to + 2] = c;
  work[to + 3] = d;
}

/** The first `known` entries of L⁻¹ b at `row`, where b stands at the given columns from `start` on in `source`. */
function solveRow(
  source: Float64Array,
  start: number,
  columns: Int32Array,
  known: number,
  work: Float64Array,
  lower: number,
  row: number,
): void {
  const width = 4 * columns.length;
  let j = 0;
  for (; j + 1 < known; j += 2) {
    const one = start + 4 * columns[j];
    const two = start + 4 * columns[j + 1];
    solveTwo(source, one, two, work, row, lower + j * width, width, 4 * j);
  }
  if (j < known) solveOne(source, start + 4 * columns[j], work, row, lower + j * width, 4 * j);
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

/** Adds the products of two rows of `count` entries to four sums, lane by lane. */
function addProducts(
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

/** One more column of four matrices eliminated: what is left is the Schur complement. */
export const eliminate: Kernels["eliminate"] = (four, column, to, work) => {
  const { n, tilts, depth, matrix, gain, roots } = four;
  const start = (i: number): number => (i < n ? 4 * triangle(i) : 4 * (triangle(n) + (i - n) * n));
  const pivot = 4 * (column * n + depth);
  for (let lane = 0; lane < 4; lane++)
    gain[pivot + lane] = 1 / Math.sqrt(matrix[start(column) + 4 * column + lane]);
  roots.copyWithin(8 * (depth + 1), 8 * depth, 8 * (depth + 1));
  timesRoots(roots, 8 * (depth + 1), gain, pivot);
  for (let i = column + 1; i < n + tilts; i++) {
    for (let lane = 0; lane < 4; lane++) {
      const g = matrix[start(i) + 4 * column + lane] * gain[pivot + lane];
      gain[4 * (i * n + depth) + lane] = g;
      work[4 * i + lane] = g;
    }
    subtractOuter(matrix, start(i), work, i, column + 1, Math.min(i + 1, n), to);
  }
};

/** to_j = from_j − g_i g_j in row i, for the columns j from `first` to `end`. */
function subtractOuter(
  from: Float64Array,
  row: number,
  g: Float64Array,
  i: number,
  first: number,
  end: number,
  to: Float64Array,
): void {
  const a = g[4 * i];
  const b = g[4 * i + 1];
  const c = g[4 * i + 2];
  const d = g[4 * i + 3];
  for (let j = 4 * first, at = row + 4 * first; j < 4 * end; j += 4, at += 4) {
    to[at] = from[at] - a * g[j];
    to[at + 1] = from[at + 1] - b * g[j + 1];
    to[at + 2] = from[at + 2] - c * g[j + 2];
    to[at + 3] = from[at + 3] - d * g[j + 3];
  }
}

/** Multiplies four products of inverse roots, which stand with the powers of two that were taken out of them, by four more. */
export function timesRoots(roots: Float64Array, at: number, by: Float64Array, from: number): void {
  for (let lane = 0; lane < 4; lane++) timesOne(roots, at + lane, 4, by[from + lane]);
}

/** Products within these bounds can be multiplied by a number between 1e−150 and 1e150 without leaving the range of numbers. */
const [SMALL, LARGE] = [1e-140, 1e140];
/** What is taken out of a product beyond them: two to this power. */
const POWER = 512;

/** Multiplies the product at `at`, beside which `apart` numbers on stands the power of two that was taken out of it. */
export function timesOne(products: Float64Array, at: number, apart: number, by: number): void {
  let product = products[at] * by;
  if (product < SMALL || product > LARGE) {
    const power = product > LARGE ? POWER : -POWER;
    product *= 2 ** -power;
    products[at + apart] += power;
  }
  products[at] = product;
}

/** The logarithm of such a product. */
export function logOfProduct(products: Float64Array, at: number, apart: number): number {
  return products[at + apart] * Math.LN2 + Math.log(products[at]);
}
