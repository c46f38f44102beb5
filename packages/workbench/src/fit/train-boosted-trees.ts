import { type Table, type TreeClassifier, trainTrees } from "conformant";
import { findCompleteRows, pickRows } from "conformant/internal";
import type { Reporter } from "../source/reporter.ts";
import { watchWork } from "../source/watch-work.ts";
import type { TrainAgain } from "./fit-again.ts";
import type { TrainingOptions } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/** Trees that were trained here. */
export interface TrainedTrees {
  readonly trees: TreeClassifier;
  readonly training: TrainingSummary;
  readonly trainAgain: TrainAgain;
}

/** Trains boosted trees; rows with gaps are trained on as they are, unless only complete ones are wanted. */
export function trainBoostedTrees(
  all: Table,
  label: string,
  { seed, l2, trainOn }: TrainingOptions,
  messages: Pick<Reporter, "progress" | "tried">,
): TrainedTrees {
  const usable = (rows: Table): Table =>
    trainOn === "complete" ? pickRows(rows, findCompleteRows(rows)) : rows;
  const table = usable(all);
  const how = { label, seed, ...(l2 !== "auto" && { l2 }) };
  return {
    trees: trainTrees(table, { ...how, ...watchWork(messages) }),
    training: { rows: table.rows, penalties: [], sampled: false },
    trainAgain: (rows, watch) => ({ predictor: trainTrees(usable(rows), { ...how, ...watch }) }),
  };
}
