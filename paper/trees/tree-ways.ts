import {
  type Classifier,
  conform,
  conformMixture,
  type Model,
  predictColumns,
  type Table,
  type TreeClassifier,
  trainTrees,
} from "conformant";
import { answerRows } from "conformant/trees";
import { fitBaseline } from "conformant-workbench/baselines";
import { maskedCopies } from "../../compare/methods/masked-copies.ts";
import { LABEL } from "../datasets/dataset.ts";

/** Rows with gaps to class probabilities, rows × K in the order of the label's values. */
export type Answer = (rows: Table) => Float64Array;

/** The two classifiers that were trained on the complete rows; every way but one asks them as they are. */
export interface Trained {
  /** The features and, last, the class. */
  readonly training: Table;
  readonly logistic: Classifier;
  readonly trees: TreeClassifier;
  readonly seed: number;
}

/** A way to answer rows with gaps, by the name it has in tables. */
export interface TreeWay {
  readonly name: string;
  readonly learn: (trained: Trained) => Answer;
}

/** A size that suits all of the tables; whether numbers are described by atoms or Gaussians is chosen. */
const SIZE = { components: 8, timeLimit: 1e9 };

export const TREE_WAYS: readonly TreeWay[] = [
  { name: "logistic regression, mean", learn: ({ logistic, training }) => filled(logistic, training) },
  {
    name: "logistic regression, NaCL",
    learn: ({ logistic, training }) => expected(conform(logistic, training)),
  },
  {
    name: "logistic regression, mixture",
    learn: ({ logistic, training }) => expected(conformMixture(logistic, training, SIZE)),
  },
  {
    name: "trees, their own handling",
    learn:
      ({ trees }) =>
      (rows) =>
        answerRows(trees, rows),
  },
  { name: "trees, mean", learn: ({ trees, training }) => filled(trees, training) },
  {
    name: "trees trained with random gaps",
    learn: ({ training, seed }) => {
      const retrained = trainTrees(maskedCopies(training, seed), { label: LABEL, seed });
      return (rows) => answerRows(retrained, rows);
    },
  },
  {
    name: "trees, expected prediction",
    learn: ({ trees, training }) => expected(conformMixture(trees, training, SIZE)),
  },
];

function filled(classifier: Classifier | TreeClassifier, training: Table): Answer {
  const fitted = fitBaseline("mean", classifier, training);
  return (rows) => fitted.predict(rows).probabilities;
}

function expected(model: Model): Answer {
  return (rows) => predictColumns(model, rows).probabilities;
}
