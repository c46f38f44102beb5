import type { Kernels } from "../kernels/kernels.ts";
import { openKernels } from "../kernels/open-kernels.ts";
import { Elimination } from "./elimination.ts";
import type { FourFactors } from "./four-factors.ts";
import { type LaidOut, logScale, sumsFor, workFor } from "./known-pattern.ts";
import type { ScoreRows } from "./score-rows.ts";

/** Rows for which a column is eliminated together: for fewer it is cheaper in each, where only the known columns are left. */
const SHARED = 12;

/**
 * Scores rows of which each has its own pattern of gaps. Sorted by pattern, rows with the same gaps in the first columns are
 * neighbours and share the elimination of those columns: with N rows about log₂ N columns. Where few rows are left each goes on
 * alone, through a Cholesky factor of its remaining known columns, and nothing is kept.
 */
export class PatternTree {
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
  constructor(laidOut: LaidOut, rows: readonly number[], where: ScoreRows) {
    const [n, T] = [where.n, laidOut.classes.length];
    const [work, sums] = [workFor(n, T), rows.length * sumsFor(T)];
    this.#laidOut = laidOut;
    this.#where = where;
    this.#kernels = openKernels(Elimination.roomFor(n, T) + work + sums + 2 * rows.length * (n + 1) + 8);
    this.#shared = new Elimination(n, T, this.#kernels);
    this.#work = this.#kernels.numbers(work);
    this.#sums = this.#kernels.numbers(sums);
    this.#rows = rows;
    this.#cells = this.#kernels.numbers(rows.length * n);
    this.#known = this.#kernels.integers(rows.length * n);
    this.#counts = this.#kernels.integers(rows.length);
    this.#scores = new Float64Array(rows.length * T);
    for (let s = 0; s < rows.length; s++) this.#prepare(s);
  }

  /** Row s made ready. */
  #prepare(s: number): void {
    const { cells, n } = this.#where;
    const { block, classes } = this.#laidOut;
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
        const w = block.weights[k * n + i];
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
    const { block, classes, M } = this.#laidOut;
    const { density, shift } = this.#where;
    const [T, K] = [classes.length, block.K];
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
