import { type Kernels, TILE } from "../kernels/kernels.ts";
import { openKernels } from "../kernels/open-kernels.ts";
import { plainKernels } from "../kernels/plain/plain-kernels.ts";
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

/** Rows that are scored at once, a number of whole tiles. */
const MOST = 32 * TILE;
/** Rows for which it pays to take a pattern to where the fast loops find it. */
const MANY = 8;

/**
 * Scores the listed rows, all of the given pattern, in tiles: each number of the pattern is read once for all rows of a tile. What is
 * left of the last one holds whatever was there.
 */
export function scoreRows(pattern: KnownPattern, K: number, rows: readonly number[], where: ScoreRows): void {
  const { known, numbers, constants, tilted } = pattern;
  const [o, M, T] = [known.length, constants.length, tilted.length];
  const width = M * (1 + T);
  const most = Math.min(MOST, TILE * Math.ceil(rows.length / TILE));
  const room = numbers.length + most * (o + width) + 8;
  const kernels: Kernels = rows.length < MANY ? plainKernels : openKernels(room);
  const held = kernels.hold(numbers);
  const cells = kernels.numbers(most * o);
  const out = kernels.numbers(most * width);
  for (let start = 0; start < rows.length; start += MOST) {
    const count = Math.min(MOST, rows.length - start);
    for (let s = 0; s < count; s++) gatherRow(pattern, where, rows[start + s], cells, placeOf(s, o));
    kernels.scoreTiles(held, o, T, M, cells, count, out);
    for (let s = 0; s < count; s++) scatterRow(pattern, K, out, s * width, where, rows[start + s]);
  }
}

/** Where the cells of row s begin among tiles of o columns. */
function placeOf(s: number, o: number): number {
  return TILE * o * Math.floor(s / TILE) + (s % TILE);
}

/** The known cells of a row about the pattern's origin, every eighth number from `at`. */
function gatherRow(
  { known, origin }: KnownPattern,
  { cells, n }: ScoreRows,
  row: number,
  to: Float64Array,
  at: number,
): void {
  for (let i = 0; i < known.length; i++) to[at + TILE * i] = cells[row * n + known[i]] - origin[known[i]];
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
