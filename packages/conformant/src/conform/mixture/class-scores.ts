import type { Block } from "../../gaussian/block.ts";
import { softmaxInPlace } from "../../math/softmax.ts";
import type { Atoms } from "../../model/atoms.ts";
import type { PackedColumns } from "../../packing/packed-columns.ts";
import { PackedPasses } from "../../packing/packed-passes.ts";
import { classScoresOf } from "../block/block-expectation.ts";

/** Rows without gaps: packed as atoms, and with the numbers of a block, rows × n. */
interface ScoredRows {
  readonly packed: PackedColumns;
  readonly weights: Float64Array;
  readonly cells?: Float64Array;
}

/** Σ weight · log Σ_k exp( b_k + Σ_i s_ki(x_i) ) over rows without gaps: the part of their likelihood that no fit changes. */
export function logClassScores(
  atoms: Atoms,
  intercept: Float64Array,
  { packed, weights, cells }: ScoredRows,
  block: Block | undefined,
): number {
  const K = intercept.length;
  const passes = new PackedPasses(packed, K);
  passes.load(atoms.scores, intercept);
  let sum = 0;
  passes.run((at, r) => {
    if (block && cells) {
      const own = classScoresOf(block, cells, r);
      for (let k = 0; k < K; k++) passes.batch[at + k] += own[k];
    }
    sum += weights[r] * softmaxInPlace(passes.batch, at, K);
  });
  return sum;
}
