import type { Eliminated, Kernels } from "../kernels/kernels.ts";
import { type FourFactors, laneRow } from "./four-factors.ts";

/** Numbers that the levels of an elimination may have, 16 MB. */
const KEPT = 1 << 21;

/**
 * Known columns eliminated one by one, for four components at once and for all rows that know them. After columns with
 * Cholesky factor L what is left of Σ, and of the classes' tilts, is the Schur complement Σ_rr − G Gᵀ with G = Σ_ro L⁻ᵀ: the
 * covariance of the rest given the eliminated columns. Hidden columns are passed over.
 */
export class Elimination implements Eliminated {
  readonly n: number;
  readonly tilts: number;
  depth = 0;
  readonly gain: Float64Array;
  readonly roots: Float64Array;
  readonly mean: Float64Array;
  /** What is left at each depth, as in {@link FourFactors}; the first is Σ. */
  readonly #levels: Float64Array[] = [];
  readonly #most: number;
  readonly #kernels: Kernels;
  readonly #work: Float64Array;

  /** Numbers that the kernels must have room for. */
  static roomFor(n: number, tilts: number): number {
    return (1 + mostLevels(n, tilts)) * laneRow(n, n + tilts) + 4 * (n + 1) * (n + tilts + 3);
  }

  /** @param tilts rows that are carried along */
  constructor(n: number, tilts: number, kernels: Kernels) {
    this.n = n;
    this.tilts = tilts;
    this.gain = kernels.numbers(4 * n * (n + tilts));
    this.roots = kernels.numbers(8 * (n + 1));
    this.mean = kernels.numbers(4 * n);
    this.#most = mostLevels(n, tilts);
    this.#kernels = kernels;
    this.#work = kernels.numbers(4 * (n + tilts));
  }

  /** Begins with four factors, nothing eliminated. */
  start({ matrix, mean }: FourFactors): void {
    this.#level(0).set(matrix);
    this.mean.set(mean);
    this.roots.fill(1, 0, 4).fill(0, 4, 8);
    this.depth = 0;
  }

  /** Whether no further column may be eliminated. */
  get full(): boolean {
    return this.depth >= this.#most;
  }

  /** What is left of Σ and of the tilts; rows and columns that are eliminated or passed over are of no use. */
  get matrix(): Float64Array {
    return this.#levels[this.depth];
  }

  /** Eliminates column d; those before it are eliminated or passed over. */
  push(d: number): void {
    this.#kernels.eliminate(this, d, this.#level(this.depth + 1), this.#work);
    this.depth++;
  }

  /** Takes back the last column. */
  pop(): void {
    this.depth--;
  }

  #level(depth: number): Float64Array {
    this.#levels[depth] ??= this.#kernels.numbers(laneRow(this.n, this.n + this.tilts));
    return this.#levels[depth];
  }
}

function mostLevels(n: number, tilts: number): number {
  return Math.min(n, Math.floor(KEPT / laneRow(n, n + tilts)));
}
