import type { Context } from "../kernels/context.ts";
import type { Eliminated, Kernels } from "../kernels/kernels.ts";
import { hasFewMissing, scoreFew, TOGETHER } from "./few-missing.ts";
import { patternOf } from "./gaussian.ts";
import {
  type FourFactors,
  type LaidOut,
  laneRow,
  logScale,
  type ScoreRows,
  sumsFor,
  workFor,
} from "./patterns.ts";

/** Rows for which a column is eliminated together: for fewer it is cheaper in each, where only the known columns are left. */
const SHARED = 12;

/** Scores rows that have their pattern of missing values in common with no other row. */
export function scoreApart(
  laidOut: LaidOut,
  rows: readonly number[],
  where: ScoreRows,
  context: Context,
): void {
  const [n, T] = [where.n, laidOut.classes.length];
  const others = scoreRowsWithFew(laidOut, rows, where);
  if (others.length === 0) return;
  const own = workFor(n, T) + others.length * (sumsFor(T) + 2 * (n + 1));
  context.use(Elimination.roomFor(n, T) + own + 8, (kernels) =>
    new PatternTree(kernels, laidOut, others, where).score(),
  );
}

/** Scores rows that have so few missing values that this costs less through the inverses of the covariances; returns the others. */
function scoreRowsWithFew(
  { gaussianColumns, fours, M }: LaidOut,
  rows: readonly number[],
  where: ScoreRows,
): readonly number[] {
  const { cells, n } = where;
  const isFew = (row: number): boolean => {
    let missing = 0;
    for (let i = 0; i < n; i++) if (Number.isNaN(cells[row * n + i])) missing++;
    return hasFewMissing(n, missing);
  };
  const few = rows.filter(isFew).map((row) => ({ row, pattern: patternOf(cells, row * n, n) }));
  for (let from = 0; from < few.length; from += TOGETHER) {
    const together = few.slice(from, from + TOGETHER);
    for (let m = 0; m < M; m++) {
      const own = together.map(({ row, pattern }) => ({ pattern, start: row * n, at: row * M + m }));
      scoreFew(gaussianColumns, fours[m >> 2].factors[m & 3], own, cells, where);
    }
  }
  return few.length === 0 ? rows : rows.filter((row) => !isFew(row));
}

/**
 * Scores rows of which each has its own pattern of gaps. Sorted by pattern, rows with the same gaps in the first columns are
 * neighbours and share the elimination of those columns: with N rows about log₂ N columns. Where few rows are left each goes on
 * alone, through a Cholesky factor of its remaining known columns, and nothing is kept.
 */
class PatternTree {
  readonly #laidOut: LaidOut;
  readonly #where: ScoreRows;
  readonly #kernels: Kernels;
  readonly #shared: Elimination;
  /** The rows by number, as they are sorted. */
  readonly #rows: readonly number[];
  /** Their cells, rows × n, and their known columns, of which the first `#counts` count. */
  readonly #cells: Float64Array;
  readonly #known: Int32Array;
  readonly #counts: Int32Array;
  /** w_k,o·y_o per weighted class; NaN where no hidden cell counts for the class. */
  readonly #scores: Float64Array;
  readonly #work: Float64Array;
  readonly #sums: Float64Array;

  /** @param rows sorted: among rows with the same gaps before a column, those that know it come first */
  constructor(kernels: Kernels, laidOut: LaidOut, rows: readonly number[], where: ScoreRows) {
    const [n, T] = [where.n, laidOut.classes.length];
    this.#laidOut = laidOut;
    this.#where = where;
    this.#kernels = kernels;
    this.#shared = new Elimination(n, T, kernels);
    this.#work = kernels.numbers(workFor(n, T));
    this.#sums = kernels.numbers(rows.length * sumsFor(T));
    this.#rows = rows;
    this.#cells = kernels.numbers(rows.length * n);
    this.#known = kernels.integers(rows.length * n);
    this.#counts = kernels.integers(rows.length);
    this.#scores = new Float64Array(rows.length * T);
    for (let s = 0; s < rows.length; s++) this.#prepare(s);
  }

  /** Row s made ready. */
  #prepare(s: number): void {
    const { cells, n } = this.#where;
    const { gaussianColumns, classes } = this.#laidOut;
    const [row, own] = [this.#rows[s] * n, s * n];
    let o = 0;
    for (let i = 0; i < n; i++) {
      this.#cells[own + i] = cells[row + i];
      if (!Number.isNaN(cells[row + i])) this.#known[own + o++] = i;
    }
    this.#counts[s] = o;
    classes.forEach((k, t) => {
      let [score, counts] = [0, false];
      for (let i = 0; i < n; i++) {
        const w = gaussianColumns.weights[k * n + i];
        if (Number.isNaN(cells[row + i])) counts ||= w !== 0;
        else score += w * cells[row + i];
      }
      this.#scores[s * classes.length + t] = counts ? score : Number.NaN;
    });
  }

  /** Adds to the densities and shifts of the rows. */
  score(): void {
    this.#laidOut.fours.forEach((four, f) => {
      this.#shared.start(four);
      this.#descend(0, this.#rows.length, 0);
      this.#write(four, 4 * f);
    });
  }

  /** Conditions on rows `from` to `to`, whose gaps before column d are the same. */
  #descend(from: number, to: number, d: number): void {
    const [shared, cells, n] = [this.#shared, this.#cells, this.#where.n];
    let [start, column] = [from, d];
    while (to - start >= SHARED && column < n && !shared.full) {
      let split = start;
      while (split < to && !Number.isNaN(cells[split * n + column])) split++;
      if (split - start >= SHARED) {
        shared.push(column);
        this.#descend(start, split, column + 1);
        shared.pop();
      } else this.#condition(start, split);
      start = split;
      column++;
    }
    this.#condition(start, to);
  }

  #condition(from: number, to: number): void {
    const [cells, known, counts] = [this.#cells, this.#known, this.#counts];
    if (from < to)
      this.#kernels.conditionRows(this.#shared, cells, known, counts, from, to, this.#work, this.#sums);
  }

  /**
   * Adds what four components from m on make of the rows. With g = L⁻¹ (Σ w_k)_o and z = L⁻¹ (y_o − μ_o) the mean of w_k·x given y_o is
   * w_k·μ + g·z and its variance w_kᵀ Σ w_k − g·g; what the hidden cells are worth is that without the known cells' own score.
   */
  #write({ factors, lanes }: FourFactors, m: number): void {
    const [sums, scores] = [this.#sums, this.#scores];
    const { gaussianColumns, classes, M } = this.#laidOut;
    const { density, shift } = this.#where;
    const [T, K] = [classes.length, gaussianColumns.K];
    for (let lane = 0; lane < lanes; lane++) {
      const { logZ } = factors[lane];
      for (let s = 0, own = lane; s < this.#rows.length; s++, own += sumsFor(T)) {
        const at = this.#rows[s] * M + m + lane;
        density[at] += logScale(sums, own, this.#counts[s]) - sums[own + 8] / 2;
        for (let t = 0; t < T; t++) {
          const score = scores[s * T + t];
          if (Number.isNaN(score)) continue;
          const [spread, shifted] = [sums[own + 12 + 8 * t], sums[own + 16 + 8 * t]];
          shift[at * K + classes[t]] += logZ[classes[t]] - spread / 2 + shifted - score;
        }
      }
    }
  }
}

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
