/**
 * Ensembles of decision trees in detail: made by hand, asked directly, turned into additive classifiers where they are that.
 *
 * @module
 */

export type { ExpectedAnswer } from "../answers/trees/expectation/expected-answer.ts";
export { expectTrees } from "../answers/trees/predict-trees.ts";
export { hasTrees, type TreeModel } from "../answers/trees/tree-model.ts";
export { additiveOf } from "../trees/additive.ts";
export { answerRows } from "../trees/answer-rows.ts";
export { checkTreesJson } from "../trees/check-trees-json.ts";
export { above, below, singleBelow, singleThreshold } from "../trees/threshold.ts";
export {
  answerOfTrees,
  createTreeClassifier,
  type TreeLink,
  type TreeNodes,
} from "../trees/tree-classifier.ts";
export { weightless } from "../trees/weightless.ts";
