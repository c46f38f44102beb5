import { type Classifier, encode, type Row, type Table } from "conformant";
import { classifyRows } from "conformant/internal";
import { classifyImputed, slotRows } from "conformant-workbench/baselines";
import { type Filled, fillByMice } from "../peers/fill-by-mice.ts";
import { peer, run } from "../tables/compare-table.ts";
import { cellsOf } from "./cells.ts";
import type { CompareMethod } from "./compare-method.ts";
import { featuresOf } from "./ours.ts";

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
    const features = featuresOf(task);
    const { columns } = features.schema;
    const isNumber = columns.map(({ kind }) => kind === "numeric");
    const [teaching, asked] = [features, rows].map((table) => cellsOf(table, columns.length));
    const { filled, ...cost } = fillByMice(isNumber, teaching, asked);
    task.took(cost);
    const answers = filled.map((table) => classifyFilled(task.classifier, table.slice(-rows.rows)));
    return answers[0].map((_, at) => answers.reduce((sum, own) => sum + own[at], 0) / answers.length);
  },
};

function classifyFilled(classifier: Classifier, cells: readonly number[][]): Float64Array {
  const { columns } = classifier.schema;
  const rows = cells.map(
    (row): Row =>
      Object.fromEntries(
        columns.map((column, i) => {
          return [column.name, column.kind === "categorical" ? column.values[row[i]] : row[i]];
        }),
      ),
  );
  return classifyRows(classifier, encode(classifier.schema, rows));
}

export const PEER_IMPUTERS: readonly CompareMethod[] = [iterativeImputer, mice];
