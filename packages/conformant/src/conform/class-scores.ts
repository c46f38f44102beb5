import type { PackedColumns } from "../classifier/packed-columns.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import type { Atoms } from "../model/atoms.ts";
import { PatternPasses } from "./pattern-passes.ts";

/** Σ weight · log Σ_k exp( b_k + Σ_i s_ki(x_i) ) over rows without gaps: the part of their likelihood that no fit changes. */
export function logClassScores(
  atoms: Atoms,
  intercept: Float64Array,
  packed: PackedColumns,
  weights: Float64Array,
): number {
  const passes = new PatternPasses(packed, intercept.length);
  passes.load(atoms.scores, intercept);
  let sum = 0;
  passes.run((at, r) => {
    sum += weights[r] * softmaxInPlace(passes.block, at, intercept.length);
  });
  return sum;
}
