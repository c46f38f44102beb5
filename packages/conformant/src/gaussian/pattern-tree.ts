import type { Kernels } from "../kernels/kernels.ts";
import { addLogRoots, addProducts } from "../kernels/lane-sums.ts";
import { openKernels } from "../kernels/open-kernels.ts";
import { patternOf } from "./block.ts";
import { HALF_LOG_TWO_PI } from "./condition.ts";
import { Elimination } from "./elimination.ts";
import { type FourFactors, isTilted, laneRow } from "./four-factors.ts";
import type { LaidOut } from "./known-pattern.ts";
import type { ScoreRows } from "./score-rows.ts";

/** A row with its own pattern of gaps. */
interface OwnPattern {
  readonly row: number;
  readonly known: Int32Array;
  /** w_k,o·y_o per weighted class; NaN where no hidden cell counts for the class. */
  readonly scores: Float64Array;
}

/** Rows for which a column is eliminated together: for fewer it is cheaper in each, where only the known columns are left. */
const SHARED = 12;

/**
 * Scores rows of which each has its own pattern of gaps. Sorted by pattern, rows with the same gaps in the first columns are
 * neighbours and share the elimination of those columns: with N rows about log₂ N columns. Where few rows are left each goes on
 * alone, through a Cholesky factor of its remaining known columns, and nothing is kept.
 */
export class PatternTree {
  private readonly laidOut: LaidOut;
  private readonly where: ScoreRows;
  private readonly kernels: Kernels;
  private readonly shared: Elimination;
  private readonly work: Float64Array;
  /** What is left of a row, n × 4. */
  private readonly rest: Float64Array;
  private readonly sums: Float64Array;
  private readonly rows: readonly OwnPattern[];

  /** @param rows sorted: among rows with the same gaps before a column, those that know it come first */
  constructor(laidOut: LaidOut, rows: readonly number[], where: ScoreRows) {
    const [n, T] = [where.n, laidOut.classes.length];
    const room = 4 * n * (n + 1 + T);
    const all = room + 4 * n + rows.length * n + Elimination.roomFor(n, T) + 8 * (n + rows.length);
    this.laidOut = laidOut;
    this.where = where;
    this.kernels = openKernels(all);
    this.shared = new Elimination(n, T, this.kernels);
    this.work = this.kernels.numbers(room);
    this.rest = this.kernels.numbers(4 * n);
    this.sums = new Float64Array(4 * (2 + 2 * T));
    this.rows = rows.map((row) => this.prepare(row));
  }

  /** A row made ready. */
  private prepare(row: number): OwnPattern {
    const { cells, n } = this.where;
    const { block, classes } = this.laidOut;
    const pattern = patternOf(cells, row * n, n);
    const known = this.kernels.integers(pattern.known.length);
    known.set(pattern.known);
    const scores = new Float64Array(classes.length);
    for (let t = 0; t < classes.length; t++) {
      const start = classes[t] * n;
      if (!isTilted(block, pattern, classes[t])) scores[t] = Number.NaN;
      for (let i = 0; i < known.length; i++)
        scores[t] += block.weights[start + known[i]] * cells[row * n + known[i]];
    }
    return { row, known, scores };
  }

  /** Adds to the densities and shifts of the rows. */
  score(): void {
    this.laidOut.fours.forEach((four, f) => {
      this.shared.start(four);
      this.descend(0, this.rows.length, 0, four, 4 * f);
    });
  }

  /** Rows `from` to `to`, whose gaps before column d are the same. */
  private descend(from: number, to: number, d: number, four: FourFactors, m: number): void {
    const { rows, shared } = this;
    const { cells, n } = this.where;
    let [start, column] = [from, d];
    while (to - start >= SHARED && column < n && !shared.full) {
      let split = start;
      while (split < to && !Number.isNaN(cells[rows[split].row * n + column])) split++;
      if (split - start >= SHARED) {
        shared.push(column);
        this.descend(start, split, column + 1, four, m);
        shared.pop();
      } else this.finish(start, split, four, m);
      start = split;
      column++;
    }
    this.finish(start, to, four, m);
  }

  private finish(from: number, to: number, four: FourFactors, m: number): void {
    for (let r = from; r < to; r++) this.finishRow(this.rows[r], four, m);
  }

  /**
   * With g = L⁻¹ (Σ w_k)_o and z = L⁻¹ (y_o − μ_o) the mean of w_k·x given y_o is w_k·μ + g·z and its variance w_kᵀ Σ w_k − g·g; what
   * the hidden cells are worth is that without the known cells' own score. The first rows of L are shared.
   */
  private finishRow({ known, row, scores }: OwnPattern, four: FourFactors, m: number): void {
    const { work, rest, shared, sums, kernels } = this;
    const { block, classes, M } = this.laidOut;
    const { cells, n, density, shift } = this.where;
    const [o, T, K] = [known.length, classes.length, block.K];
    const p = shared.depth;
    const u = o - p;
    const own = 4 * u * u;
    shared.sums(known, cells, row * n, four.mean, sums, rest);
    kernels.factorise(shared.matrix, known, p, work);
    addLogRoots(work, u, sums);
    kernels.solveRow(rest, 0, known, p, work, u);
    for (let t = 0; t < T; t++) kernels.solveRow(shared.matrix, laneRow(n, n + t), known, p, work, u + 1 + t);
    addProducts(work, own, work, own, u, sums, 4);
    for (let t = 0; t < T; t++) {
      const g = own + 4 * (t + 1) * u;
      addProducts(work, g, work, g, u, sums, 8 + 8 * t);
      addProducts(work, g, work, own, u, sums, 12 + 8 * t);
    }
    for (let lane = 0; lane < four.lanes; lane++) {
      const at = row * M + m + lane;
      density[at] -= sums[4 + lane] / 2 + sums[lane] + o * HALF_LOG_TWO_PI;
      for (let t = 0; t < T; t++) {
        if (Number.isNaN(scores[t])) continue;
        const k = classes[t];
        const [spread, shifted] = [sums[8 + 8 * t + lane], sums[12 + 8 * t + lane]];
        shift[at * K + k] += four.factors[lane].logZ[k] - spread / 2 + shifted - scores[t];
      }
    }
  }
}
