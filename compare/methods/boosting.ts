import type { Table } from "conformant";
import { peer, run } from "../tables/compare-table.ts";
import type { CompareMethod } from "./compare-method.ts";

/** scikit-learn's histogram boosting, which takes gaps as they are, trained on the rows alone or with random cells hidden as well. */
function boosting(name: string, mode: "native" | "masked"): CompareMethod {
  return {
    name,
    imputes: false,
    learn: ({ classifier, training }) => {
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
        const answer = run("/usr/bin/python3", [peer("boosting.py")], JSON.stringify(task));
        return Float64Array.from((JSON.parse(answer) as number[][]).flat());
      };
    },
  };
}

/** Rows of numbers; codes of categories as they are, null for a gap. */
function cellsOf({ columns, rows }: Table, n: number): (number | null)[][] {
  return Array.from({ length: rows }, (_, r) =>
    columns.slice(0, n).map((cells) => {
      const x = cells[r];
      const gap = cells instanceof Float64Array ? Number.isNaN(x) : x < 0;
      return gap ? null : x;
    }),
  );
}

export const BOOSTING: readonly CompareMethod[] = [
  boosting("boosting, native gaps", "native"),
  boosting("boosting, random masks", "masked"),
];
