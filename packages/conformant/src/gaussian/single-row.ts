import type { Block, Pattern } from "./block.ts";
import { HALF_LOG_TWO_PI } from "./condition.ts";
import { factoriseFour, fourFrom, gatherFour } from "./factorise-four.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";
import type { ScoreRows } from "./score-rows.ts";
import { tilt, tiltedClasses } from "./tilt.ts";

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
    this.fours.forEach((four, f) => {
      const lanes = Math.min(4, this.factors.length - 4 * f);
      this.scoreFour(four, pattern, tilted, row, where, 4 * f, lanes);
    });
  }

  private scoreFour(
    four: readonly GaussianFactor[],
    pattern: Pattern,
    tilted: Int32Array,
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
    const constants = new Float64Array(4 * tilted.length);
    for (let t = 0; t < tilted.length; t++) {
      const from = own + (t + 1) * o * 4;
      for (let lane = 0; lane < 4; lane++)
        constants[4 * t + lane] = tilt(block, four[lane], pattern, tilted[t], work, from + lane);
    }
    const logs = factoriseFour(work, o, o + 1 + tilted.length);
    for (let lane = 0; lane < lanes; lane++) {
      const squares = laneProduct(work, own + lane, own + lane, o);
      density[row * M + m + lane] -= squares / 2 + logs[lane] + o * HALF_LOG_TWO_PI;
      for (let t = 0; t < tilted.length; t++) {
        const from = own + (t + 1) * o * 4 + lane;
        const spread = laneProduct(work, from, from, o);
        const shifted = laneProduct(work, from, own + lane, o);
        shift[(row * M + m + lane) * K + tilted[t]] += constants[4 * t + lane] - spread / 2 + shifted;
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
