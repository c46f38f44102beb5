import { type Table, type TreeClassifier, trainTrees } from "conformant";
import { findCompleteRows, pickRows, splitOnIndicators } from "conformant/internal";
import { isIndicatorColumn } from "../source/positions.ts";
import type { Reporter } from "../source/reporter.ts";
import { watchWork } from "../source/watch-work.ts";
import type { TrainAgain } from "./fit-again.ts";
import { rowsForTrees } from "./out-of-fold.ts";
import type { TrainingOptions } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/** Trees that were trained here. */
export interface TrainedTrees {
  readonly trees: TreeClassifier;
  readonly training: TrainingSummary;
  readonly trainAgain: TrainAgain;
  /** The same trees, where missing values of more columns are evidence. */
  readonly withIndicators: (columns: readonly string[]) => TrainedTrees;
}

/** How trees are trained, where that was chosen before. */
export interface ChosenTrees {
  /** Iterations of boosting; undefined where held-out rows decide. */
  readonly iterations?: number | undefined;
  /** Seconds that the training may take. */
  readonly timeLimit?: number;
  /** The columns whose missing values are taken as evidence, or all. */
  readonly missing: "random" | "informative" | readonly string[];
}

/**
 * Trains boosted trees; rows with gaps are trained on as they are, unless only complete ones are wanted.
 *
 * @param all the columns to train on and, last, the label
 */
export function trainBoostedTrees(
  all: Table,
  label: string,
  { seed, l2, trainOn, bounds }: TrainingOptions,
  { iterations, missing, timeLimit }: ChosenTrees,
  messages: Pick<Reporter, "progress" | "tried">,
): TrainedTrees {
  const usable = (rows: Table): Table =>
    trainOn === "complete" ? pickRows(rows, findCompleteRows(rows)) : rows;
  const taught = rowsForTrees(all, { seed, bounds });
  const table = usable(taught);
  const how = { label, seed, ...(l2 !== "auto" && { l2 }) };
  const trees = trainTrees(table, { ...how, missing, iterations, timeLimit, ...watchWork(messages) });
  // As many iterations as suited all rows.
  const again = { ...how, iterations: iterations ?? trees.roots.length / trees.base.length };
  const trained = (own: TreeClassifier, asked: ChosenTrees["missing"]): TrainedTrees => ({
    trees: own,
    training: { rows: table.rows, penalties: [], sampled: false },
    trainAgain: (rows, watch) => ({
      predictor:
        taught !== all && rows.columns.length === all.columns.length
          ? own
          : trainTrees(usable(rows), { ...again, missing: asked, ...watch }),
    }),
    withIndicators: (columns) => {
      const earlier = own.schema.columns.filter(isIndicatorColumn).map(({ gapOf }) => gapOf);
      return trained(splitOnIndicators(own, columns), [...earlier, ...columns]);
    },
  });
  return trained(trees, missing);
}
