import type { Model } from "../model/model.ts";
import { AtomsScores } from "./atoms-scores.ts";
import { BlockScores } from "./block-scores.ts";
import type { FactorScores } from "./factor-scores.ts";
import { type ByKind, makeOfFactors } from "./kinds-of-factors.ts";

const SCORES: ByKind<FactorScores> = {
  atoms: (model, columns) => new AtomsScores(model, columns),
  block: (block, gaussians) => new BlockScores(block, gaussians),
};

const made = new WeakMap<Model, readonly FactorScores[]>();

/** The scores of a model's factors; made once. */
export function scoresOf(model: Model): readonly FactorScores[] {
  const scores = made.get(model) ?? makeOfFactors(model, SCORES);
  made.set(model, scores);
  return scores;
}
