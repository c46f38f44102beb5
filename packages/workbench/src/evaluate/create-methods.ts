import { type Model, predictColumns, type Table } from "conformant";
import { answerRows, treesOf } from "conformant/trees";
import { type BaselineName, fitBaseline } from "../baselines/baseline.ts";
import type { Reporter } from "../source/reporter.ts";
import { watchWork } from "../source/watch-work.ts";
import type { Method } from "./method.ts";

/** What trees' own software does with gaps; for models of trees only. */
export const NATIVE = "native" as const;

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
      const baseline = fitBaseline(name, classifier, training, watch);
      return { name, predict: (table, watch) => baseline.predict(table, watch).probabilities };
    }),
  ];
}
