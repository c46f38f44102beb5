import type { Block } from "../../gaussian/block.ts";
import { softmaxInPlace } from "../../math/exponential/softmax.ts";
import type { Atoms } from "../../model/atoms.ts";
import type { PackedColumns } from "../../packing/packed-columns.ts";
import { passOver } from "../../packing/packed-passes.ts";
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
  let sum = 0;
  passOver(packed, atoms.scores, intercept, (batch, at, r) => {
    if (block && cells) {
      const own = classScoresOf(block, cells, r);
      for (let k = 0; k < K; k++) batch[at + k] += own[k];
    }
    sum += weights[r] * softmaxInPlace(batch, at, K);
  });
  return sum;
}
