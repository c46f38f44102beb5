import { peer, run } from "../tables/compare-table.ts";
import { cellsOf } from "./cells.ts";
import type { CompareMethod, Cost } from "./compare-method.ts";

/** scikit-learn's histogram boosting, which takes gaps as they are, trained on the rows alone or with random cells hidden as well. */
function boosting(name: string, mode: "native" | "masked"): CompareMethod {
  return {
    name,
    imputes: false,
    learn: ({ classifier, training, took }) => {
      const n = classifier.schema.columns.length;
      const order = classifier.classes;
      const label = training.schema.columns[n];
      const names = label.kind === "categorical" ? label.values : [];
      const classes = Array.from(training.columns[n], (code) => order.indexOf(names[code]));
      return (rows) => {
        const task = {
          mode,
          train: cellsOf(training, n),
          classes,
          count: order.length,
          test: cellsOf(rows, n),
        };
        const text = run("/usr/bin/python3", [peer("boosting.py")], JSON.stringify(task));
        const { answer, ...cost } = JSON.parse(text) as Cost & { answer: number[][] };
        took(cost);
        return Float64Array.from(answer.flat());
      };
    },
  };
}

export const BOOSTING: readonly CompareMethod[] = [
  boosting("boosting, native handling", "native"),
  boosting("boosting, random masks", "masked"),
];
