/**
 * Other ways to predict rows with missing values, to compare with: imputers, reduced models and naive Bayes.
 *
 * @module
 */

export {
  BASELINE_NAMES,
  type Baseline,
  type BaselineName,
  type BaselineOptions,
  fitBaseline,
  fitImputer,
  type ImputerOptions,
} from "../baselines/baseline.ts";
export { classifyImputed } from "../baselines/classify-imputed.ts";
export { fitConstants, type Statistic } from "../baselines/fit-constants.ts";
export { type Imputer, type ImputerMethod, slotRows } from "../baselines/imputer.ts";
export {
  logisticFromNaiveBayes,
  modelFromNaiveBayes,
  type NaiveBayes,
  type NaiveBayesOptions,
  trainNaiveBayes,
  valueOffsets,
} from "../baselines/naive-bayes.ts";
