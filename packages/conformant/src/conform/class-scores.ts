import type { Block } from "../gaussian/block.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import type { Atoms } from "../model/atoms.ts";
import type { AtomRows } from "./atom-rows.ts";
import { classScoresOf } from "./block-expectation.ts";
import { PatternPasses } from "./pattern-passes.ts";

/** Σ weight · log Σ_k exp( b_k + Σ_i s_ki(x_i) ) over rows without gaps: the part of their likelihood that no fit changes. */
export function logClassScores(
  atoms: Atoms,
  intercept: Float64Array,
  { packed, weights, cells }: AtomRows,
  block: Block | undefined,
): number {
  const K = intercept.length;
  const passes = new PatternPasses(packed, K);
  passes.load(atoms.scores, intercept);
  let sum = 0;
  passes.run((at, r) => {
    if (block && cells) classScoresOf(block, cells, r).forEach((x, k) => (passes.block[at + k] += x));
    sum += weights[r] * softmaxInPlace(passes.block, at, K);
  });
  return sum;
}
