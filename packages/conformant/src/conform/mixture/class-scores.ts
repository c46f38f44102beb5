import { softmaxInPlace } from "../../math/exponential/softmax.ts";
import type { Atoms } from "../../model/atoms.ts";
import type { PackedColumns } from "../../packing/packed-columns.ts";
import { passOver } from "../../packing/packed-passes.ts";
import type { FactorInFit } from "../factors/factor-in-fit.ts";

/** Rows without gaps: packed as atoms, and as the cells of the other factors. */
interface ScoredRows {
  readonly packed: PackedColumns;
  readonly weights: Float64Array;
  readonly cells: readonly Float64Array[];
}

/** Σ weight · log Σ_k exp( b_k + Σ_i s_ki(x_i) ) over rows without gaps: the part of their likelihood that no fit changes. */
export function logClassScores(
  atoms: Atoms,
  intercept: Float64Array,
  { packed, weights, cells }: ScoredRows,
  factors: readonly FactorInFit[],
): number {
  const K = intercept.length;
  let sum = 0;
  passOver(packed, atoms.scores, intercept, ({ scores, line, from, to }) => {
    for (let r = from, at = 0; r < to; r++, at += line) {
      for (let f = 0; f < factors.length; f++) factors[f].addClassScores(cells[f], r, scores, at);
      sum += weights[r] * softmaxInPlace(scores, at, K);
    }
  });
  return sum;
}
