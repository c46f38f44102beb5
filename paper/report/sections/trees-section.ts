import { drawLineChart } from "conformant-workbench";
import type { TreesResults, TreeTableResults } from "../../trees/trees-study.ts";
import { fifths, type Panel } from "../figures.ts";
import { roundUp } from "../round-up.ts";
import { markdownTable } from "../tables/markdown-table.ts";

/** Colors by Okabe and Ito, one for each way in the order of the table. */
const COLORS = ["#0072b2", "#56b4e9", "#009e73", "#d55e00", "#cc79a7", "#000000", "#e69f00"];

/** The part of RESULTS.md about trees. */
export function treesSection(results: TreesResults): string[] {
  return [
    "## Boosted trees",
    "Beyond the paper: `npm run paper -- trees`. Logistic regression and gradient-boosted trees (`trainTrees`), both trained on complete " +
      "rows with numbers as they are, mixtures of 8 components, and ways to answer test rows with so many columns hidden. Log loss against the labels ×100, accuracy ×100 " +
      "in brackets; bold: the lowest loss. *Their own handling* sends a gap down the branch that training fixed, which means nothing where " +
      "training had no gaps. *Trained with random gaps* is another classifier, trained on the same rows with cells hidden; in all other ways " +
      "the classifier is untouched and complete rows get its own answer.",
    ...treesPanels(results)
      .filter(({ file }) => !file.includes("accuracy"))
      .map(({ file, title }) => `![${title}](figures/${file})`),
    ...results.tables.map((table) => comparison(table, results.rates)),
  ];
}

/** What is drawn of each table over the share of hidden columns. */
const MEASURES = [
  { key: "logLoss", words: "log loss", axis: "log loss in nats", file: "" },
  { key: "accuracy", words: "accuracy", axis: "accuracy", file: "-accuracy" },
] as const;

/** Two pictures for each table: log loss and accuracy of every way. */
export function treesPanels({ tables, rates }: TreesResults): Panel[] {
  const percents = rates.map((rate) => 100 * rate);
  return tables.flatMap((table) =>
    MEASURES.map(({ key, words, axis, file }) => {
      const name = nameOf(table);
      const title = `${name}: ${words} of logistic regression and boosted trees`;
      const most = key === "accuracy" ? 1 : roundUp(Math.max(...table.ways.flatMap((way) => way[key])));
      const svg = drawLineChart({
        title,
        x: { title: "hidden columns, %", domain: [0, 80], ticks: percents },
        y: { title: axis, domain: [0, most], ticks: fifths(0, most) },
        dots: 0,
        alone: { others: "" },
        lines: table.ways.map((way, i) => ({
          name: way.way,
          color: COLORS[i % COLORS.length],
          points: percents.map((x, j) => ({ x, y: way[key][j] })),
        })),
      });
      return { file: `trees-${name.toLowerCase()}${file}.svg`, title, svg };
    }),
  );
}

function nameOf({ title }: TreeTableResults): string {
  return title.replace(/ \(.*/, "");
}

function comparison(table: TreeTableResults, rates: readonly number[]): string {
  const { title, rows, hidden, trees, ways } = table;
  const least = rates.map((_, j) => Math.min(...ways.map(({ logLoss }) => logLoss[j])));
  const lines = ways.map(({ way, logLoss, accuracy, seconds }) => [
    way,
    ...logLoss.map((loss, j) => {
      const shown = (100 * loss).toFixed(1);
      return `${loss <= least[j] ? `**${shown}**` : shown} (${(100 * accuracy[j]).toFixed(1)})`;
    }),
    `${seconds.fit.toFixed(1)} s + ${seconds.predict.toFixed(1)} s`,
  ]);
  const about =
    `${title}: ${rows.training.toLocaleString("en")} training and ${rows.test.toLocaleString("en")} test rows, ` +
    `${hidden.join(", ")} columns hidden, ${trees} trees.`;
  return `${about}\n\n${markdownTable(["", ...rates.map((rate) => `${100 * rate} %`), "fit + predict"], lines)}`;
}
