import { RATES, type Score, type SplitScores } from "./evaluate-method.ts";
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

/** A question that one table answers: a row per table and masking rate, a column per method. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly metric: Metric;
  readonly methods: readonly CompareMethod[];
}

const isOurs = ({ name }: CompareMethod): boolean => name === "ours";
const SAME_CLASSIFIER = METHODS.filter((method) => method.imputes || isOurs(method));
const OTHER_CLASSIFIERS = METHODS.filter((method) => !method.imputes || isOurs(method));

const QUESTIONS: readonly Question[] = [
  {
    title: "Which method stays closest to the complete-row prediction?",
    text: "Cross entropy ×100 to the classifier's prediction for the complete row. All methods use the same classifier.",
    metric: "crossEntropy",
    methods: SAME_CLASSIFIER,
  },
  {
    title: "Which method predicts the label best with the same classifier?",
    text: "Log loss ×100.",
    metric: "logLoss",
    methods: SAME_CLASSIFIER,
  },
  {
    title: "Would another classifier predict better?",
    text: `Log loss ×100 of methods that train their own classifiers. *${PER_PATTERN}* trains one for every pattern of missing values.`,
    metric: "logLoss",
    methods: OTHER_CLASSIFIERS,
  },
  {
    title: "And with boosted trees?",
    text: "Log loss ×100. The same boosted trees (`trainTrees`) for all methods except the last, which trains other trees on masked rows.",
    metric: "logLoss",
    methods: TREE_METHODS,
  },
];

/** The page of all results, compare/RESULTS.md: how it was measured, and a table per question with a row per table and masking rate. */
export function resultsPage(tables: readonly TableScores[], measured: Date): string {
  return `${[
    "# Comparison, table by table",
    "",
    "All results behind [the comparison with other methods](../docs/comparison.md).",
    "",
    `Written by \`npm run compare -- --publish\` on ${measured.toISOString().slice(0, 10)}. A logistic regression (l2 = 1) is trained on 70% of each table. In the other rows 20, 40, 60 and 80% of the values are masked at random, identically for all methods.`,
    `Cells are means over the splits ± standard errors; lower is better; the lowest of each row is bold. mice averages the predictions of its five imputations. Boosting and trees use the first ${TREE_SPLITS} splits; large tables have only the fast methods.`,
    "",
    summary(tables),
    "",
    tableOfTables(tables),
    ...QUESTIONS.flatMap(({ title, text, metric, methods }) => [
      "",
      `## ${title}`,
      "",
      text,
      "",
      metricTable(tables, metric, methods),
    ]),
    "",
    "## What does it cost?",
    "",
    "Processor seconds for one fit and four predictions of the test rows, including the start of Python or R.",
    "",
    costTable(tables),
  ].join("\n")}\n`;
}

/** A page of results of another comparison, by the name of its file. */
export interface OtherResults {
  readonly name: string;
  readonly page: string;
}

/** docs/comparison.md, from the pages of all results: per question, the mean over the tables that have every method. */
export function comparisonPage(results: string, others: readonly OtherResults[] = []): string {
  const [head, ...questions] = results.split("\n## ");
  const measured = /on (\d{4}-\d{2}-\d{2})\./.exec(head)?.[1];
  return `${[
    "# Comparison with other methods",
    "",
    "How predictions with missing values compare with imputation and with classifiers made for missing values, on ten public tables. To compare on your own table:",
    "",
    "```sh no-run: needs your model and rows",
    "conformant evaluate model.json test.csv --label y --train train.csv --against mean,knn,mice",
    "```",
    "",
    ...linesOf(head, "- "),
    "",
    "![Cross entropy of four methods on each table, by the share of masked values](images/compared-methods.svg)",
    "",
    "*Cross entropy ×100 by the share of masked values; lower is better.*",
    "",
    `Measured on ${measured}. A logistic regression is trained on 70% of each table; values of the other rows are masked at random, identically for all methods. The numbers below are means over the tables that every method could run on. Method, standard errors and each table: [all results](../compare/RESULTS.md).`,
    ...questions.flatMap((question) => [
      "",
      `## ${question.split("\n")[0]}`,
      "",
      `${question.split("\n")[2]} Lower is better.`,
      "",
      ...meanTable(linesOf(question, "| ")),
    ]),
    ...others.flatMap(otherSection),
  ].join("\n")}\n`;
}

/** What a page of results says before its details. */
function otherSection({ name, page }: OtherResults): string[] {
  const [head] = page.split("\n## ");
  return ["", `#${head.trimEnd()} Details: [${name}](../compare/results/${name}.md).`];
}

function linesOf(text: string, start: string): string[] {
  return text.split("\n").filter((line) => line.startsWith(start));
}

/**
 * A table with a row per table and masking rate as a table with a row per method: its mean at each rate. Costs have no rate: one mean, and
 * the tables that some methods could not run on by name.
 */
function meanTable(lines: readonly string[]): string[] {
  const [head, , ...rows] = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const keys = head[1] === "masked" ? 2 : 1;
  const isComplete = (row: readonly string[]): boolean => row.every((cell) => cell !== "");
  const groups = new Map<string, string[][]>();
  for (const row of rows) {
    if (keys === 2 && !isComplete(row)) continue;
    const group = keys === 2 ? `${row[1]} masked` : isComplete(row) ? "mean" : row[0];
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  const means = [...groups.values()].map((own) =>
    head.slice(keys).map((_, m) => {
      const values = own.map((row) => Number.parseFloat(row[keys + m].replaceAll("*", "")));
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    }),
  );
  return [
    `| method | ${[...groups.keys()].join(" | ")} |`,
    `| --- |${" --- |".repeat(groups.size)}`,
    ...head.slice(keys).map((name, m) => {
      const cells = means.map((column) => {
        const text = Number.isNaN(column[m]) ? "" : column[m].toFixed(1);
        return keys === 2 && column[m] === Math.min(...column) ? `**${text}**` : text;
      });
      return `| ${name} | ${cells.join(" | ")} |`;
    }),
  ];
}

function tableOfTables(tables: readonly TableScores[]): string {
  return [
    "| table | source | rows | columns | splits |",
    "| --- | --- | --- | --- | --- |",
    ...tables.map(
      ({ name, source, rows, columns, splits }) =>
        `| ${name} | ${source} | ${rows} | ${columns} | ${splits.length} |`,
    ),
  ].join("\n");
}

function isJudgedOn({ splits }: TableScores, name: string): boolean {
  return splits[0].scores.some(({ method }) => method === name);
}

function metricTable(
  tables: readonly TableScores[],
  metric: Metric,
  methods: readonly CompareMethod[],
): string {
  const names = methods.map(({ name }) => name);
  const rows = tables.flatMap((table) =>
    names.filter((name) => isJudgedOn(table, name)).length < 2
      ? []
      : RATES.map((rate, i) => {
          const means = names.map((name) =>
            isJudgedOn(table, name) ? meanOf(table.splits, name, metric, i) : undefined,
          );
          const shown = means.map((value) => value && (100 * value.mean).toFixed(1));
          const lowest = Math.min(...shown.map((text) => Number(text ?? Number.POSITIVE_INFINITY)));
          const cells = means.map((value, m) =>
            value === undefined ? "" : cellText(value, Number(shown[m]) === lowest),
          );
          return `| ${table.name} | ${100 * rate}% | ${cells.join(" | ")} |`;
        }),
  );
  return [
    `| table | masked | ${names.join(" | ")} |`,
    `| --- |${" --- |".repeat(names.length + 1)}`,
    ...rows,
  ].join("\n");
}

function costTable(tables: readonly TableScores[]): string {
  const names = METHODS.map(({ name }) => name);
  const rows = tables.map((table) => {
    const cells = names.map((name) =>
      isJudgedOn(table, name) ? average(table.splits, name, "seconds").toFixed(1) : "",
    );
    return `| ${table.name} | ${cells.join(" | ")} |`;
  });
  return [`| table | ${names.join(" | ")} |`, `| --- |${" --- |".repeat(names.length)}`, ...rows].join("\n");
}

/** Mean and standard error; bold where the mean as shown is the lowest of its row. */
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
      const cell = `${name} at ${100 * rate}%`;
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
    `- **Same classifier.** Cross entropy is lower than that of the best imputation in ${ahead} of ${cells} cases, and higher by more than two standard errors in ${listed(worse)}.`,
    `- **Choice of the mixture.** The chosen mixture is within 2% or one standard error of the best candidate in ${chosen - far.length} of ${chosen} cases${far.length === 0 ? "" : ` (not: ${far.join(", ")})`}.`,
    `- **Other classifiers.** Mean log loss at 40% masked or more: ours ${overall(tables, "ours")}, ${PER_PATTERN} ${overall(tables, PER_PATTERN)}.`,
    `- **Boosted trees.** The log loss of the expected prediction is lower than that of ${treesAhead(tables.filter((table) => isJudgedOn(table, EXPECTED)))}.`,
  ].join("\n");
}

/** How many cases, and which. */
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
    return `"${name}"${name === RETRAINED ? " (another classifier)" : ""} in ${ahead} of ${behind.length} cases`;
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

/** The scores of a method on the splits that it was tested on. */
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
