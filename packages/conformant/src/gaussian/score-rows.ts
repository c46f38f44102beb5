import type { Kernels } from "../kernels/kernels.ts";
import { openKernels } from "../kernels/open-kernels.ts";
import { plainKernels } from "../kernels/plain-kernels.ts";
import type { KnownPattern } from "./known-pattern.ts";

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

/** Tiles of four rows that are scored at once. */
const TILES = 64;
/** Rows for which it pays to take a pattern to where the fast loops find it. */
const MANY = 8;

/**
 * Scores the listed rows, all of the given pattern, in tiles of four: each number of the pattern is read once for all of them. Where
 * fewer than four are left the last stands in for the others.
 */
export function scoreRows(pattern: KnownPattern, K: number, rows: readonly number[], where: ScoreRows): void {
  const { known, numbers, constants, tilted } = pattern;
  const [o, M, T] = [known.length, constants.length, tilted.length];
  const most = Math.min(TILES, Math.ceil(rows.length / 4));
  const width = M * (1 + T);
  const room = numbers.length + 4 * most * (o + width) + 8;
  const kernels: Kernels = rows.length < MANY ? plainKernels : openKernels(room);
  const held = kernels.hold(numbers);
  const cells = kernels.numbers(4 * most * o);
  const out = kernels.numbers(4 * most * width);
  for (let start = 0; start < rows.length; start += 4 * TILES) {
    const end = Math.min(start + 4 * TILES, rows.length);
    const tiles = Math.ceil((end - start) / 4);
    for (let s = 0; s < 4 * tiles; s++)
      gatherRow(pattern, where, rows[Math.min(start + s, end - 1)], cells, 4 * o * (s >> 2) + (s & 3));
    kernels.scoreTiles(held, o, T, M, cells, tiles, out);
    for (let s = 0; s < end - start; s++) scatterRow(pattern, K, out, s * width, where, rows[start + s]);
  }
}

/** The known cells of a row about the pattern's origin, every fourth number from `at`. */
function gatherRow(
  { known, origin }: KnownPattern,
  { cells, n }: ScoreRows,
  row: number,
  to: Float64Array,
  at: number,
): void {
  for (let i = 0; i < known.length; i++) to[at + 4 * i] = cells[row * n + known[i]] - origin[known[i]];
}

/** Adds the scores of one row, which stand from `at` on. */
function scatterRow(
  { constants, tilted }: KnownPattern,
  K: number,
  scores: Float64Array,
  at: number,
  { density, shift }: ScoreRows,
  row: number,
): void {
  const M = constants.length;
  const step = 1 + tilted.length;
  for (let m = 0, from = at; m < M; m++, from += step)
    density[row * M + m] += constants[m] - scores[from] / 2;
  for (let t = 0; t < tilted.length; t++) {
    let to = row * M * K + tilted[t];
    for (let m = 0, from = at + 1 + t; m < M; m++, from += step, to += K) shift[to] += scores[from];
  }
}
