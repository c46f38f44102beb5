import { type Table, type TreeClassifier, trainTrees } from "conformant";
import { findCompleteRows, pickRows } from "conformant/internal";
import { answerRows } from "conformant/trees";
import type { Reporter } from "../source/reporter.ts";
import { watchWork } from "../source/watch-work.ts";
import { type Candidate, crossValidate } from "./cross-validate.ts";
import { trainingAccuracy } from "./training-accuracy.ts";
import type { TrainingOptions } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/** Trees that were trained here. */
export interface TrainedTrees {
  readonly trees: TreeClassifier;
  readonly training: TrainingSummary;
}

/** Trains boosted trees; rows with gaps are trained on as they are, unless only complete ones are wanted. */
export function trainBoostedTrees(
  all: Table,
  label: string,
  { seed, l2, trainOn, crossValidation }: TrainingOptions,
  messages: Pick<Reporter, "progress" | "tried">,
): TrainedTrees {
  const table = trainOn === "complete" ? pickRows(all, findCompleteRows(all)) : all;
  const how = { label, seed, ...(l2 !== "auto" && { l2 }) };
  const candidate: Candidate = {
    learn: (rows, weights, watch) => {
      const trees = trainTrees(rows, { ...how, weights, ...watch });
      return (asked) => answerRows(trees, asked);
    },
  };
  const [validation] = crossValidation ? (crossValidate(table, [candidate], seed, messages) ?? []) : [];
  const trees = trainTrees(table, { ...how, ...watchWork(messages) });
  const accuracy = trainingAccuracy((rows) => answerRows(trees, rows), table);
  return {
    trees,
    training: {
      accuracy,
      rows: table.rows,
      validation,
      penalties: [],
      crossValidated: crossValidation,
      sampled: false,
    },
  };
}
