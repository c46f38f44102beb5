import type { Block, Pattern } from "./block.ts";
import { HALF_LOG_TWO_PI } from "./condition.ts";
import { Elimination } from "./elimination.ts";
import { addProducts, factoriseFour, type LaneColumns, solveRow } from "./factorise-four.ts";
import { type FourFactors, isTilted, laneRow } from "./four-factors.ts";
import type { ScoreRows } from "./score-rows.ts";

/** A row with its own pattern of gaps. */
export interface OwnPattern extends Pattern {
  readonly row: number;
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
  private readonly block: Block;
  private readonly classes: Int32Array;
  private readonly fours: readonly FourFactors[];
  private readonly M: number;
  private readonly shared: Elimination;
  private readonly work: Float64Array;
  /** What is left of a row, n × 4. */
  private readonly rest: Float64Array;
  private readonly sums: Float64Array;

  constructor(block: Block, classes: Int32Array, fours: readonly FourFactors[], M: number) {
    const n = block.columns.length;
    this.block = block;
    this.classes = classes;
    this.fours = fours;
    this.M = M;
    this.shared = new Elimination(n, classes.length);
    this.work = new Float64Array(4 * n * (n + 1 + classes.length));
    this.rest = new Float64Array(4 * n);
    this.sums = new Float64Array(4 * (2 + 2 * classes.length));
  }

  /** A row made ready. */
  prepare(pattern: Pattern, row: number, { cells, n }: ScoreRows): OwnPattern {
    const { known, hidden } = pattern;
    const { block, classes } = this;
    const scores = new Float64Array(classes.length);
    for (let t = 0; t < classes.length; t++) {
      const start = classes[t] * n;
      if (!isTilted(block, pattern, classes[t])) scores[t] = Number.NaN;
      for (let i = 0; i < known.length; i++)
        scores[t] += block.weights[start + known[i]] * cells[row * n + known[i]];
    }
    return { known, hidden, row, scores };
  }

  /**
   * Adds to the densities and shifts of rows.
   *
   * @param rows sorted: among rows with the same gaps before a column, those that know it come first
   */
  score(rows: readonly OwnPattern[], where: ScoreRows): void {
    this.fours.forEach((four, f) => {
      this.shared.start(four);
      this.descend(rows, 0, rows.length, 0, where, four, 4 * f);
    });
  }

  /** Rows `from` to `to`, whose gaps before column d are the same. */
  private descend(
    rows: readonly OwnPattern[],
    from: number,
    to: number,
    d: number,
    where: ScoreRows,
    four: FourFactors,
    m: number,
  ): void {
    const { cells, n } = where;
    const { shared } = this;
    let [start, column] = [from, d];
    while (to - start >= SHARED && column < n && !shared.full) {
      let split = start;
      while (split < to && !Number.isNaN(cells[rows[split].row * n + column])) split++;
      if (split - start >= SHARED) {
        shared.push(column);
        this.descend(rows, start, split, column + 1, where, four, m);
        shared.pop();
      } else this.finish(rows, start, split, where, four, m);
      start = split;
      column++;
    }
    this.finish(rows, start, to, where, four, m);
  }

  private finish(
    rows: readonly OwnPattern[],
    from: number,
    to: number,
    where: ScoreRows,
    four: FourFactors,
    m: number,
  ): void {
    for (let r = from; r < to; r++) this.finishRow(rows[r], where, four, m);
  }

  /**
   * With g = L⁻¹ (Σ w_k)_o and z = L⁻¹ (y_o − μ_o) the mean of w_k·x given y_o is w_k·μ + g·z and its variance w_kᵀ Σ w_k − g·g; what
   * the hidden cells are worth is that without the known cells' own score. The first rows of L are shared.
   */
  private finishRow(
    { known, row, scores }: OwnPattern,
    { cells, n, density, shift }: ScoreRows,
    four: FourFactors,
    m: number,
  ): void {
    const { work, rest, shared, classes, sums, block, M } = this;
    const [o, T, K] = [known.length, classes.length, block.K];
    const p = shared.depth;
    const u = o - p;
    const own = 4 * u * u;
    const part: LaneColumns = { matrix: shared.matrix, n, columns: known, from: p };
    shared.sums(known, cells, row * n, four.mean, sums, rest);
    factoriseFour(part, work, sums);
    solveRow(part, rest, 0, u, work, u);
    for (let t = 0; t < T; t++) solveRow(part, shared.matrix, laneRow(n, n + t), u, work, u + 1 + t);
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
