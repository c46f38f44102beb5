/**
 * Naive Bayes trained on counts, and the two lemmas of the paper between it and logistic regression.
 *
 * @module
 */

export { type NaiveBayesOptions, trainNaiveBayes } from "../baselines/train-naive-bayes.ts";
export {
  logisticFromNaiveBayes,
  modelFromNaiveBayes,
  type NaiveBayes,
  naiveBayesFromLogistic,
  naiveBayesOf,
} from "../model/naive-bayes.ts";
