import { trainNaiveBayes } from "conformant-workbench/baselines";
import { LABEL } from "../datasets/dataset.ts";
import { scoresOfModel } from "../protocol/scores/additive-scores.ts";
import type { AdditiveMethod } from "./method.ts";

/** Maximum-likelihood naive Bayes on one-hot bits, the baseline of Q3. */
export const naiveBayes: AdditiveMethod = {
  name: "naive_bayes",
  label: "Naive Bayes",
  scores: ({ bits, dataset }) =>
    scoresOfModel(trainNaiveBayes(bits.training, { label: LABEL }), dataset.test.schema),
};
