import { triangle } from "../../linalg/triangle.ts";
import { type Kernels, TILE } from "../kernels.ts";

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
