import type { Block, Pattern } from "./block.ts";
import { HALF_LOG_TWO_PI } from "./condition.ts";
import { factoriseFour, fourFrom, gatherFour, gatherTilts, tiltedClasses } from "./factorise-four.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";
import type { ScoreRows } from "./score-rows.ts";

/**
 * Scores a row whose pattern of gaps no other row has: the row itself and the classes' tilts are carried along through the
 * Cholesky factorisation, and nothing is kept.
 */
export class SingleRow {
  private readonly block: Block;
  private readonly factors: readonly GaussianFactor[];
  private readonly fours: readonly GaussianFactor[][];
  private readonly work: Float64Array;

  constructor(block: Block, factors: readonly GaussianFactor[]) {
    const n = block.columns.length;
    this.block = block;
    this.factors = factors;
    this.fours = Array.from({ length: Math.ceil(factors.length / 4) }, (_, f) => fourFrom(factors, 4 * f));
    this.work = new Float64Array((n + 1 + block.K) * n * 4);
  }

  /** Adds to the densities and shifts of one row. */
  score(pattern: Pattern, row: number, where: ScoreRows): void {
    const tilted = tiltedClasses(this.block, pattern);
    const scores = this.knownScores(pattern, tilted, row, where);
    this.fours.forEach((four, f) => {
      const lanes = Math.min(4, this.factors.length - 4 * f);
      this.scoreFour(four, pattern, tilted, scores, row, where, 4 * f, lanes);
    });
  }

  /** w_k,o·y_o of the tilted classes. */
  private knownScores(
    { known }: Pattern,
    tilted: Int32Array,
    row: number,
    { cells, n }: ScoreRows,
  ): Float64Array {
    const scores = new Float64Array(tilted.length);
    for (let t = 0; t < tilted.length; t++) {
      for (let i = 0; i < known.length; i++)
        scores[t] += this.block.weights[tilted[t] * n + known[i]] * cells[row * n + known[i]];
    }
    return scores;
  }

  /**
   * With g = L⁻¹ (Σ w_k)_o and z = L⁻¹ (y_o − μ_o) the mean of w_k·x given y_o is w_k·μ + g·z and its variance w_kᵀ Σ w_k − g·g; what
   * the hidden cells are worth is that without the known cells' own score.
   */
  private scoreFour(
    four: readonly GaussianFactor[],
    pattern: Pattern,
    tilted: Int32Array,
    scores: Float64Array,
    row: number,
    { cells, n, density, shift }: ScoreRows,
    m: number,
    lanes: number,
  ): void {
    const { block, work } = this;
    const { known } = pattern;
    const [K, M, o] = [block.K, this.factors.length, known.length];
    gatherFour(work, four, pattern, n);
    const own = o * o * 4;
    for (let i = 0; i < o; i++) {
      const x = cells[row * n + known[i]];
      for (let lane = 0; lane < 4; lane++) work[own + 4 * i + lane] = x - four[lane].mean[known[i]];
    }
    for (let t = 0; t < tilted.length; t++)
      gatherTilts(work, own + (t + 1) * o * 4, four, pattern, tilted[t]);
    const logs = factoriseFour(work, o, o + 1 + tilted.length);
    for (let lane = 0; lane < lanes; lane++) {
      const squares = laneProduct(work, own + lane, own + lane, o);
      density[row * M + m + lane] -= squares / 2 + logs[lane] + o * HALF_LOG_TWO_PI;
      for (let t = 0; t < tilted.length; t++) {
        const from = own + (t + 1) * o * 4 + lane;
        const spread = laneProduct(work, from, from, o);
        const shifted = laneProduct(work, from, own + lane, o);
        const k = tilted[t];
        shift[(row * M + m + lane) * K + k] += four[lane].logZ[k] - spread / 2 + shifted - scores[t];
      }
    }
  }
}

/** The product of two rows in the same lane. */
function laneProduct(work: Float64Array, a: number, b: number, o: number): number {
  let sum = 0;
  for (let i = 0; i < 4 * o; i += 4) sum += work[a + i] * work[b + i];
  return sum;
}
