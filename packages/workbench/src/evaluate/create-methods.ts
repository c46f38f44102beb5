import { type Model, predictColumns, type Table } from "conformant";
import { answerRows, treesOf } from "conformant/trees";
import { type BaselineName, fitBaseline } from "../baselines/baseline.ts";
import type { Reporter } from "../source/reporter.ts";
import { watchWork } from "../source/watch-work.ts";
import { chooseRows } from "./divide-rows.ts";
import type { Method } from "./method.ts";

/** What trees' own software does with gaps; for models of trees only. */
export const NATIVE = "native" as const;

/** The baseline that answers every row with the class shares of its training rows. */
export const CLASS_SHARES = "class_shares";

/** Rows that nearest neighbors are chosen from at most. */
const MOST_NEIGHBORS = 10_000;

/** The rows that a baseline learns from, and its operations per row where they are many: nearest neighbors compare with all of them. */
export function boundedTraining(
  name: string,
  training: Table,
): { readonly rows: Table; readonly work?: number } {
  if (name !== "knn") return { rows: training };
  const rows = chooseRows(training, MOST_NEIGHBORS, 0);
  return { rows, work: rows.rows * rows.schema.columns.length };
}

/** Our model, and each baseline fitted on the training rows. */
export function createMethods(
  model: Model,
  baselines: readonly (BaselineName | typeof NATIVE)[],
  training: Table,
  label: string,
  messages: Pick<Reporter, "progress" | "tried">,
): Method[] {
  const trees = treesOf(model);
  const classifier = { ...model.predictor, label };
  const ours: Method = {
    name: "ours",
    predict: (table, watch) => predictColumns(model, table, watch).probabilities,
  };
  return [
    ours,
    ...baselines.map((name, r): Method => {
      if (name === NATIVE) {
        if (!trees) throw new RangeError(`${NATIVE} is for models of trees`);
        return { name, predict: (table) => answerRows(trees, table) };
      }
      const watch = watchWork(messages, r, baselines.length, `fitting ${name}`);
      const { rows, ...bounded } = boundedTraining(name, training);
      const baseline = fitBaseline(name, classifier, rows, watch);
      return {
        name,
        predict: (table, own) => baseline.predict(table, own).probabilities,
        ...bounded,
      };
    }),
  ];
}

/** Guesses without looking at the inputs: the shares of the classes among the training rows, with one row more of each. */
export function classShares({ columns }: Table, classes: number): Method {
  const counts = new Float64Array(classes).fill(1);
  for (const code of columns[columns.length - 1]) if (code >= 0) counts[code]++;
  const total = counts.reduce((sum, n) => sum + n, 0);
  return {
    name: CLASS_SHARES,
    predict: (table) =>
      Float64Array.from({ length: table.rows * classes }, (_, at) => counts[at % classes] / total),
  };
}
