import { type BaselineName, fitBaseline } from "conformant-workbench/baselines";
import type { CompareMethod } from "./compare-method.ts";

/** Trains a classifier for each pattern of gaps. */
export const PER_PATTERN = "logistic regression per pattern";

/** A method that the library has as a baseline. */
function baseline(name: string, key: BaselineName, imputes: boolean): CompareMethod {
  return {
    name,
    imputes,
    learn: ({ classifier, training }) => {
      const fitted = fitBaseline(key, classifier, training, {
        knn: { neighbors: 10 },
        reduced: { maxPatterns: 1e6 },
      });
      return (rows) => fitted.predict(rows).probabilities;
    },
  };
}

export const LIBRARY_METHODS: readonly CompareMethod[] = [
  baseline("mean", "mean", true),
  baseline("nearest neighbors (10)", "knn", true),
  baseline("chained equations", "mice", true),
  baseline("EM", "em", true),
  baseline("naive Bayes", "naive_bayes", false),
  baseline(PER_PATTERN, "reduced", false),
];
