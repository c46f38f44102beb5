export { checkTreesJson } from "../trees/read-trees.ts";
export { above, below, singleBelow, singleThreshold } from "../trees/threshold.ts";
export { additiveOf } from "../trees/to-additive.ts";
export {
  answerOfTrees,
  answerRows,
  createTreeClassifier,
  createTreeRegressor,
  type TreeLink,
  type TreeNodes,
  treesOf,
} from "../trees/tree-ensemble.ts";

/**
 * Ensembles of decision trees in detail: made by hand, asked directly, turned into additive classifiers where they are that.
 *
 * @module
 */
