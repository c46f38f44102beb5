export { branchInWords } from "../acquisition/ask-tree.ts";
export { type ScoredBoosting, scoreTrees } from "../boosting/train-trees.ts";
export { createAtoms } from "../distribution/atoms.ts";
export { GIVEN } from "../distribution/certificate.ts";
export { createComponent, logAtomGivenClass } from "../distribution/distribution.ts";
export { type DecisionSummary, decisionInWords } from "../explanation/in-words.ts";
export { missingEffects } from "../incomplete-training/compare-indicators.ts";
export { completeRows, completeTable, drawFromModel } from "../incomplete-training/complete-rows.ts";
export { linearSums } from "../linear/linear-scores.ts";
export { choleskyFactor, choleskySolve, solveFactored, submatrix } from "../math/cholesky.ts";
export { mixtureBetween } from "../math/normal-mixture.ts";
export { logit, probabilitiesInPlace } from "../math/softmax.ts";
export { indexOfLargest } from "../math/vectors.ts";
export { type MixtureShape, mixtureShape } from "../mixture/conform-mixture.ts";
export { addColumns, expectationOf } from "../model/kinds.ts";
export { requireClasses } from "../model/model.ts";
export { type Decision, decide, TIE } from "../predictors/decision.ts";
export { numberOf, sumOf } from "../predictors/number-link.ts";
export { shareOfDescent, Watch } from "../progress.ts";
export { classifyRows } from "../questions/classify.ts";
export { usualRange } from "../questions/impute.ts";
export { logJoint } from "../questions/surprise.ts";
export { isDiscrete, isLinear, slotCount, valueCount, valueLabels } from "../schema/column.ts";
export { isMissingCell as isMissing } from "../schema/data.ts";
export { dealGroups } from "../schema/hold-out.ts";
export { columnsWithGaps, createIndicators, markGaps } from "../schema/indicators.ts";
export { readLabels } from "../schema/labels.ts";
export { findCompleteRows, pickRows } from "../schema/rows.ts";
export { splitOnIndicators } from "../trees/split-on-indicators.ts";

/**
 * Building blocks that the command, the page and the paper share with the library. Most check nothing, and all may change in
 * any release: programs outside this repository import the other entries.
 *
 * @module
 */
