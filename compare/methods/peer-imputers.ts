import { type Classifier, encode, type Row, type Table } from "conformant";
import { classifyRows } from "conformant/internal";
import { classifyImputed, slotRows } from "conformant-workbench/baselines";
import { peer, run } from "../tables/compare-table.ts";
import { cellsOf } from "./cells.ts";
import type { CompareMethod, Cost } from "./compare-method.ts";
import { featuresOf } from "./ours.ts";

/** What a program of another language answers: the rows filled, once or several times, and what it took. */
interface Filled<Cell> extends Cost {
  readonly filled: Cell[][][];
}

/** scikit-learn's IterativeImputer as it comes, on numbers and 0/1 slots of categories, fitted to the training rows and those to fill. */
const iterativeImputer: CompareMethod = {
  name: "IterativeImputer (scikit-learn)",
  imputes: true,
  learn: (task) => (rows) => {
    const [train, test] = [featuresOf(task), rows].map(slotsOf);
    const text = run("/usr/bin/python3", [peer("iterative_imputer.py")], JSON.stringify({ train, test }));
    const { filled, ...cost } = JSON.parse(text) as Filled<number>;
    task.took(cost);
    const slots = Float64Array.from(filled[0].flat());
    let at = 0;
    const fill = (block: Float64Array): void => {
      block.set(slots.subarray(at, at + block.length));
      at += block.length;
    };
    const imputer = { method: "mice", schema: task.classifier.schema, fill } as const;
    return classifyImputed(task.classifier, imputer, rows).probabilities;
  },
};

/** Rows of slots, null for a gap. */
function slotsOf(table: Table): (number | null)[][] {
  const slots = slotRows(table);
  const width = slots.length / table.rows;
  return Array.from({ length: table.rows }, (_, r) =>
    Array.from(slots.subarray(r * width, (r + 1) * width), (x) => (Number.isNaN(x) ? null : x)),
  );
}

/** R's mice as it comes, five imputations: the mean of the classifier's answers to all of them. */
const mice: CompareMethod = {
  name: "mice (R)",
  imputes: true,
  learn: (task) => (rows) => {
    const lines = [...csvOf(featuresOf(task), 0), ...csvOf(rows, 1)];
    const head = rows.columns.map((_, i) => `c${i}`);
    const text = run("Rscript", [peer("mice.R")], [[...head, "test"].join(","), ...lines, ""].join("\n"));
    const { filled, ...cost } = JSON.parse(text) as Filled<number | string>;
    task.took(cost);
    const answers = filled.map((table) => classifyFilled(task.classifier, table));
    return answers[0].map((_, at) => answers.reduce((sum, own) => sum + own[at], 0) / answers.length);
  },
};

/** Lines of CSV: numbers, categories as v0, v1, …, nothing for a gap, and whether the row is to be filled. */
function csvOf(table: Table, test: 0 | 1): string[] {
  const { columns } = table.schema;
  return cellsOf(table, columns.length).map((cells) =>
    [...cells.map((x, i) => (x === null ? "" : columns[i].kind === "numeric" ? x : `v${x}`)), test].join(","),
  );
}

function classifyFilled(classifier: Classifier, cells: readonly (number | string)[][]): Float64Array {
  const { columns } = classifier.schema;
  const rows = cells.map(
    (row): Row =>
      Object.fromEntries(
        columns.map((column, i) => {
          if (column.kind === "numeric") return [column.name, row[i]];
          const code = Number(String(row[i]).slice(1));
          return [column.name, column.kind === "categorical" ? column.values[code] : code];
        }),
      ),
  );
  return classifyRows(classifier, encode(classifier.schema, rows));
}

export const PEER_IMPUTERS: readonly CompareMethod[] = [iterativeImputer, mice];
