import { triangle } from "../../linalg/triangle.ts";
import type { Kernels } from "../kernels.ts";
import { timesOne } from "./long-products.ts";

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
