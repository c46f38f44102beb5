import { conformMixture, predictColumns, trainTrees } from "conformant";
import { answerRows } from "conformant/trees";
import { type BaselineName, fitBaseline } from "conformant-workbench/baselines";
import { LABEL } from "../tables/compare-table.ts";
import type { CompareMethod } from "./compare-method.ts";
import { maskedCopies } from "./masked-copies.ts";
import { featuresOf } from "./ours.ts";

/** What the others are tested against: the trees' expected prediction. */
export const EXPECTED = "trees, expected prediction";
export const RETRAINED = "trees trained with random masks";

function filled(name: string, key: BaselineName): CompareMethod {
  return {
    name,
    imputes: true,
    learn: ({ trees, training }) => {
      const fitted = fitBaseline(key, trees(), training, { knn: { neighbors: 10 } });
      return (rows) => fitted.predict(rows).probabilities;
    },
  };
}

/** The same boosted trees for all but the last, which trains its own. */
export const TREE_METHODS: readonly CompareMethod[] = [
  {
    name: EXPECTED,
    imputes: false,
    learn: (task) => {
      const model = conformMixture(task.trees(), featuresOf(task), { timeLimit: 1e9 });
      return (rows) => predictColumns(model, rows).probabilities;
    },
  },
  {
    name: "trees, their own handling",
    imputes: false,
    learn:
      ({ trees }) =>
      (rows) =>
        answerRows(trees(), rows),
  },
  filled("trees, mean", "mean"),
  filled("trees, nearest neighbors (10)", "knn"),
  {
    name: RETRAINED,
    imputes: false,
    learn: ({ training }) => {
      const retrained = trainTrees(maskedCopies(training, 0), { label: LABEL });
      return (rows) => answerRows(retrained, rows);
    },
  },
];
