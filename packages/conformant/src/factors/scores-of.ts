import { madeOnce } from "../made-once.ts";
import type { Model } from "../model/model.ts";
import { AtomsScores } from "./atoms-scores.ts";
import { BlockScores } from "./block-scores.ts";
import type { FactorScores } from "./factor-scores.ts";
import { type ByKind, makeOfFactors } from "./kinds-of-factors.ts";

const SCORES: ByKind<FactorScores> = {
  atoms: (model, columns) => new AtomsScores(model, columns),
  block: (block, gaussians) => new BlockScores(block, gaussians),
};

const scores = new WeakMap<Model, readonly FactorScores[]>();

/** The scores of a model's factors. */
export function scoresOf(model: Model): readonly FactorScores[] {
  return madeOnce(scores, model, makeScores);
}

function makeScores(model: Model): readonly FactorScores[] {
  return makeOfFactors(model, SCORES);
}
