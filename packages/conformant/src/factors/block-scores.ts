import { type Block, blockCells } from "../gaussian/block.ts";
import { BlockScorer } from "../gaussian/block-scorer.ts";
import type { GaussianFactor } from "../gaussian/gaussian-factor.ts";
import { Scratch } from "../math/scratch.ts";
import type { Table } from "../schema/data.ts";
import type { FactorScores } from "./factor-scores.ts";

/** The scores of a Gaussian block: log N(y_o; μ_o, Σ_oo) and w_k,h·E[x_h | y_o] + ½ w_k,hᵀ Σ_h|o w_k,h. */
export class BlockScores implements FactorScores {
  readonly independent = false;
  /** So many that rows with the same gaps find each other. */
  readonly rowsTogether = 1024;
  readonly #block: Block;
  readonly #scorer: BlockScorer;
  readonly #work = new Scratch();

  /** @param gaussians one per component */
  constructor(block: Block, gaussians: readonly GaussianFactor[]) {
    this.#block = block;
    this.#scorer = new BlockScorer(block, gaussians);
  }

  addScores(table: Table, start: number, rows: number, density: Float64Array, gaps: Float64Array): void {
    const range = new Int32Array(rows);
    for (let r = 0; r < rows; r++) range[r] = start + r;
    const cells = blockCells(this.#block, table, range, this.#work.take(rows * this.#block.columns.length));
    this.#scorer.score(cells, rows, density, gaps);
  }
}
