import { train, trainTrees } from "conformant";
import { dataFolders } from "../datasets/data-folder.ts";
import { LABEL } from "../datasets/dataset.ts";
import type { NumericTable } from "../numeric/numeric-table.ts";
import { largeTables, spliceTable } from "../numeric/tables.ts";
import { seedOf } from "../protocol/random.ts";
import { maskColumns } from "../protocol/removal.ts";
import { score } from "../protocol/scores/metrics.ts";
import { treesPanels, treesSection } from "../report/sections/trees-section.ts";
import type { Study } from "../studies/study.ts";
import { TREE_WAYS, type Trained } from "./tree-ways.ts";

/** Shares of the columns that are hidden. */
const RATES = [0, 0.2, 0.4, 0.6, 0.8] as const;
/** Fewer rows than elsewhere: completions of trees are drawn for most of them. */
const ROWS = { training: 5000, test: 1000 };

/** Against the labels of the test rows, one number per rate. */
export interface WayResults {
  readonly way: string;
  readonly logLoss: readonly number[];
  readonly accuracy: readonly number[];
  readonly seconds: { readonly fit: number; readonly predict: number };
}

/** One table. */
export interface TreeTableResults {
  readonly title: string;
  readonly rows: { readonly training: number; readonly test: number };
  /** Columns hidden in every row, one per rate. */
  readonly hidden: readonly number[];
  readonly trees: number;
  readonly ways: readonly WayResults[];
}

/** What `npm run paper -- trees` measures. */
export interface TreesResults {
  readonly rates: readonly number[];
  readonly tables: readonly TreeTableResults[];
}

/** Past the paper: boosted trees beside logistic regression, each with ways to take gaps. */
export const treesStudy: Study<TreesResults> = {
  datasets: ["covtype", "adult", "splice"],
  about: "past the paper: boosted trees, their own handling of gaps and the expected prediction",
  run: ({ data, seed, progress }) => {
    const folders = dataFolders(data);
    const tables = [...largeTables(folders, seed, ROWS), spliceTable(folders, seed)];
    return { rates: RATES, tables: tables.map((table) => compareWays(table, seed, progress)) };
  },
  section: treesSection,
  panels: treesPanels,
};

function compareWays(table: NumericTable, seed: number, progress: (line: string) => void): TreeTableResults {
  const { title, training, test, testLabels } = table;
  const trained: Trained = {
    training,
    logistic: train(training, { label: LABEL }),
    trees: trainTrees(training, { label: LABEL, seed }),
    seed,
  };
  const { classes } = trained.trees;
  const truth = Int32Array.from(testLabels, (label) => classes.indexOf(label));
  const sure = new Float64Array(test.rows * classes.length);
  truth.forEach((k, r) => {
    sure[r * classes.length + k] = 1;
  });
  const hidden = RATES.map((rate) => Math.round(rate * test.columns.length));
  const masked = hidden.map((count) => maskColumns(test, count, seedOf(seed, title, count)));
  const ways = TREE_WAYS.map(({ name, learn }): WayResults => {
    progress(`${title}: ${name}`);
    const start = performance.now();
    const answer = learn(trained);
    const fitted = performance.now();
    // Log loss is the cross entropy to a prediction that is sure of the truth.
    const scores = masked.map((rows) => score(sure, answer(rows), truth, classes.length));
    const end = performance.now();
    return {
      way: name,
      logLoss: scores.map(({ crossEntropy }) => crossEntropy),
      accuracy: scores.map(({ accuracy }) => accuracy),
      seconds: { fit: (fitted - start) / 1000, predict: (end - fitted) / 1000 },
    };
  });
  const rows = { training: training.rows, test: test.rows };
  return { title, rows, hidden, trees: trained.trees.roots.length, ways };
}
