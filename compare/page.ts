import { RATES, type Score, type SplitScores } from "./judge-method.ts";
import type { CompareMethod } from "./methods/compare-method.ts";
import { PER_PATTERN } from "./methods/library-methods.ts";
import { METHODS, TREE_SPLITS } from "./methods/methods.ts";
import { EXPECTED, RETRAINED, TREE_METHODS } from "./methods/trees.ts";

/** A table with the scores of its splits. */
export interface TableScores {
  readonly name: string;
  readonly source: string;
  readonly rows: number;
  readonly columns: number;
  readonly splits: readonly SplitScores[];
}

type Metric = "logLoss" | "crossEntropy";

interface Mean {
  readonly mean: number;
  readonly error: number;
}

/** The public page: how it was measured, what came out, wins and losses alike. */
export function comparisonPage(tables: readonly TableScores[], measured: Date): string {
  return `${[
    "# Compared with what people use",
    "",
    `Written by \`npm run compare -- --publish\` on ${measured.toISOString().slice(0, 10)}. On each table a logistic regression (scikit-learn's with C = 1) is trained on 70 % of the rows. Of the others`,
    "20, 40, 60 and 80 % of the cells are hidden at random, the same for all methods, and each answers what is left. *Cross entropy* is to the classifier's own",
    "answer to the whole row, *log loss* to the label; both ×100, means over the splits ± their standard errors, lower is better; the lowest of a column is",
    "bold. Methods that train a classifier of their own (naive Bayes, logistic regression per pattern, boosting) do not aim at the former. Seconds of processor time are for one fit and four times the",
    "test rows, memory is the most that the process took which did it; the start of Python or R is in both. IterativeImputer and mice run as they come; mice's five imputations are answered",
    `one by one, and the mean of the answers counts. The last table of each is for gradient-boosted trees (\`trainTrees\`), trained once on the same rows; these and boosting were judged on the first ${TREE_SPLITS} splits, and large tables have the quick methods only.`,
    "",
    summary(tables),
    "",
    "![Cross entropy of four methods on each table, by the share of hidden cells](images/compared-methods.svg)",
    "",
    "*Cross entropy ×100 by the share of hidden cells, drawn from the tables below by `npm run pictures`.*",
    "",
    "The five tables of the paper (digits, fashion, census, splice junctions, forest cover) beside the imputations that it compares with are on [a page of their own](../paper/RESULTS.md).",
    ...tables.flatMap((table) => ["", ...section(table)]),
  ].join("\n")}\n`;
}

function section(table: TableScores): string[] {
  const { name, source, rows, columns, splits } = table;
  return [
    `## ${name}`,
    "",
    `${source}: ${rows} rows, ${columns} columns, ${splits.length} splits.`,
    "",
    "Cross entropy:",
    "",
    metricTable(table, "crossEntropy", METHODS),
    "",
    "Log loss:",
    "",
    metricTable(table, "logLoss", METHODS),
    ...(isJudgedOn(table, EXPECTED)
      ? ["", "Log loss of boosted trees:", "", metricTable(table, "logLoss", TREE_METHODS)]
      : []),
  ];
}

function isJudgedOn({ splits }: TableScores, name: string): boolean {
  return splits[0].scores.some(({ method }) => method === name);
}

function metricTable(table: TableScores, metric: Metric, methods: readonly CompareMethod[]): string {
  const { splits } = table;
  const names = methods.map(({ name }) => name).filter((name) => isJudgedOn(table, name));
  const values = names.map((name) => RATES.map((_, i) => meanOf(splits, name, metric, i)));
  const lowest = RATES.map((_, i) => Math.min(...values.map((row) => row[i].mean)));
  const rows = names.map((name, m) => {
    const cells = values[m].map((value, i) => cellText(value, value.mean === lowest[i]));
    const seconds = average(splits, name, "seconds").toFixed(1);
    const memory = Math.round(average(splits, name, "memory") / 1e6);
    return `| ${name} | ${cells.join(" | ")} | ${seconds} | ${memory} |`;
  });
  const head = RATES.map((rate) => `${100 * rate} %`).join(" | ");
  return [`| method | ${head} | seconds | MB |`, `| --- |${" --- |".repeat(RATES.length + 2)}`, ...rows].join(
    "\n",
  );
}

function cellText({ mean, error }: Mean, best: boolean): string {
  const text = `${(100 * mean).toFixed(1)} ± ${(100 * error).toFixed(1)}`;
  return best ? `**${text}**` : text;
}

function average(splits: readonly SplitScores[], name: string, what: "seconds" | "memory"): number {
  return statistics(scoresOf(splits, name).map((score) => score[what])).mean;
}

/** In how many cells ours is ahead of the best imputation, and how it does beside its own candidates and the retrained classifiers. */
function summary(tables: readonly TableScores[]): string {
  let [cells, ahead, chosen] = [0, 0, 0];
  const [worse, far]: [string[], string[]] = [[], []];
  for (const table of tables) {
    const { name, splits } = table;
    const imputers = METHODS.filter((method) => method.imputes && isJudgedOn(table, method.name)).map(
      (method) => method.name,
    );
    RATES.forEach((rate, i) => {
      cells++;
      const cell = `${name} at ${100 * rate} %`;
      const best = imputers.reduce((a, b) =>
        meanOf(splits, b, "crossEntropy", i).mean < meanOf(splits, a, "crossEntropy", i).mean ? b : a,
      );
      const behind = differenceOf(splits, "ours", best, i);
      if (behind.mean < 0) ahead++;
      if (behind.mean > 2 * behind.error) worse.push(`${cell} (${best})`);
      if (splits[0].candidates.length === 0) return;
      chosen++;
      if (!nearBest(splits, i)) far.push(cell);
    });
  }
  return [
    `- Against the best imputation of each table and rate, with the same classifier: ours is ahead in ${ahead} of ${cells} cells, and behind by more than two standard errors in ${listed(worse)}.`,
    `- Against the best of its own candidates, known only afterwards: within 2 % or one standard error in ${chosen - far.length} of ${chosen} cells, and not in ${listed(far)}.`,
    `- Mean log loss over the tables that both were judged on, at 40 % hidden or more: ours ${overall(tables, "ours")}, ${PER_PATTERN} ${overall(tables, PER_PATTERN)}.`,
    `- Boosted trees, log loss of the expected prediction: ${treesAhead(tables.filter((table) => isJudgedOn(table, EXPECTED)))}.`,
  ].join("\n");
}

/** How many cells, and which. */
function listed(cells: readonly string[]): string {
  return cells.length === 0 ? "none" : `${cells.length}: ${cells.join(", ")}`;
}

/** In how many cells the expected prediction of the trees is ahead of each other way. */
function treesAhead(tables: readonly TableScores[]): string {
  const others = TREE_METHODS.map(({ name }) => name).filter((name) => name !== EXPECTED);
  const parts = others.map((name) => {
    const behind = tables.flatMap(({ splits }) =>
      RATES.map(
        (_, i) => meanOf(splits, EXPECTED, "logLoss", i).mean - meanOf(splits, name, "logLoss", i).mean,
      ),
    );
    const ahead = behind.filter((difference) => difference < 0).length;
    return `ahead of "${name}"${name === RETRAINED ? " (another classifier)" : ""} in ${ahead} of ${behind.length} cells`;
  });
  return parts.join(", ");
}

function overall(tables: readonly TableScores[], name: string): string {
  const both = tables.filter((table) => isJudgedOn(table, PER_PATTERN));
  const values = both.flatMap(({ splits }) =>
    RATES.flatMap((rate, i) => (rate >= 0.4 ? [meanOf(splits, name, "logLoss", i).mean] : [])),
  );
  return ((100 * values.reduce((sum, value) => sum + value, 0)) / values.length).toFixed(1);
}

/** Whether ours is within 2 % or one standard error of the best candidate: the best of those that every split tried. */
function nearBest(splits: readonly SplitScores[], rate: number): boolean {
  const common = splits[0].candidates
    .map(({ method }) => method)
    .filter((name) => splits.every(({ candidates }) => candidates.some(({ method }) => method === name)));
  const ours = meanOf(splits, "ours", "crossEntropy", rate);
  return common.every((name) => {
    const behind = statistics(
      splits.map(
        ({ scores, candidates }) =>
          find(scores, "ours").crossEntropy[rate] - find(candidates, name).crossEntropy[rate],
      ),
    );
    return behind.mean <= Math.max(behind.error, 0.02 * ours.mean);
  });
}

function differenceOf(splits: readonly SplitScores[], a: string, b: string, rate: number): Mean {
  return statistics(
    splits.map(({ scores }) => find(scores, a).crossEntropy[rate] - find(scores, b).crossEntropy[rate]),
  );
}

function meanOf(splits: readonly SplitScores[], name: string, metric: Metric, rate: number): Mean {
  return statistics(scoresOf(splits, name).map((score) => score[metric][rate]));
}

/** The scores of a method on the splits that it was judged on. */
function scoresOf(splits: readonly SplitScores[], name: string): Score[] {
  return splits.flatMap(({ scores }) => scores.filter(({ method }) => method === name));
}

function find(scores: readonly Score[], name: string): Score {
  const own = scores.find(({ method }) => method === name);
  if (!own) throw new Error(`no scores of ${name}; remove reports/compare and measure again`);
  return own;
}

/** Mean and its standard error over the splits. */
function statistics(values: readonly number[]): Mean {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}
