import { drawLineChart } from "conformant-workbench";
import type { NumericResults, NumericScore, NumericTableResults } from "../../numeric/numeric-results.ts";
import { fifths, type Panel } from "../figures.ts";
import { roundUp } from "../round-up.ts";
import { markdownTable } from "../tables/markdown-table.ts";

/** Colors by Okabe and Ito, one for each method in the order of the table. */
const COLORS = ["#0072b2", "#56b4e9", "#000000", "#cc79a7", "#e69f00"];

/** The part of RESULTS.md about numeric columns as they are. */
export function numericSection(results: NumericResults): string[] {
  const compared = results.tables.filter(({ scores }) => scores.length > 1);
  return [
    "## Numeric columns as they are",
    "Beyond the paper, which turns every number into a bit: `npm run paper -- numeric`. Cross entropy to the full-data prediction ×100 " +
      'with so many columns of every test row hidden; lower is closer. "auto" is `conformMixture` without options, which chooses between ' +
      "atoms and Gaussians for the numeric columns and the number of components by the cross entropy of held-out rows with hidden cells; the " +
      "time of its fit is mostly that of choosing. It is given no time limit, so that its choice does not depend on the machine.",
    ...numericPanels(results).map(({ file, title }) => `![${title}](figures/${file})`),
    ...compared.flatMap((table) => [comparison(table, results.rates)]),
    "### What auto chose from",
    "Every candidate has the number of components that held-out rows prefer for it. Bold: the one that was chosen. The last column is " +
      "the largest excess of the chosen one over the best at any rate.",
    choices(results),
  ];
}

/** One picture for each table with baselines: every method over the share of hidden columns. */
export function numericPanels({ tables, rates }: NumericResults): Panel[] {
  const percents = [0, ...rates.map((rate) => 100 * rate)];
  return tables
    .filter(({ scores }) => scores.length > 1)
    .map((table) => {
      const name = table.title.replace(/ \(.*/, "");
      const title = `${name} with its numbers: cross entropy to the full-data prediction`;
      const all = comparedScores(table);
      const most = roundUp(Math.max(...all.flatMap(({ crossEntropy }) => crossEntropy)) / 100);
      const svg = drawLineChart({
        title,
        x: { title: "hidden columns, %", domain: [0, 80], ticks: percents },
        y: { title: "cross entropy in nats", domain: [0, most], ticks: fifths(0, most) },
        dots: 0,
        alone: { others: "" },
        lines: all.map((score, i) => ({
          name: score.method === "auto" ? "Gaussians, atoms" : score.method,
          color: COLORS[i % COLORS.length],
          points: [table.complete, ...score.crossEntropy].map((y, j) => ({ x: percents[j], y: y / 100 })),
        })),
      });
      return { file: `numeric-${name.toLowerCase()}.svg`, title, svg };
    });
}

/** The baselines, the mixture that knows atoms alone, and the one that chooses. */
function comparedScores({ scores, candidates }: NumericTableResults): NumericScore[] {
  const auto = scores.filter(({ method }) => method === "auto");
  return [
    ...scores.filter(({ method }) => method !== "auto"),
    ...candidates
      .filter(({ method }) => method === "atoms")
      .map((score) => ({ ...score, method: "mixture with atoms" })),
    ...auto,
  ];
}

function comparison(table: NumericTableResults, rates: readonly number[]): string {
  const { title, rows, columns, hidden, complete } = table;
  const all = comparedScores(table);
  const least = rates.map((_, j) => Math.min(...all.map(({ crossEntropy }) => crossEntropy[j])));
  const lines = all.map((score) => [
    score.components === undefined ? score.method : `${score.method}, ${describe(score, columns.numeric)}`,
    ...score.crossEntropy.map((x, j) => (x <= least[j] ? `**${x.toFixed(1)}**` : x.toFixed(1))),
    `${score.seconds.fit.toFixed(1)} s + ${score.seconds.predict.toFixed(2)} s`,
  ]);
  const about =
    `${title}: ${columns.numeric} numeric and ${columns.other} other columns, ${rows.training.toLocaleString("en")} training and ` +
    `${rows.test.toLocaleString("en")} test rows, ${hidden.join(", ")} columns hidden; complete rows ${complete.toFixed(1)}.`;
  return `${about}\n\n${markdownTable(["", ...rates.map((rate) => `${100 * rate} %`), "fit + predict"], lines)}`;
}

function describe({ components, gaussian }: NumericScore, numeric: number): string {
  const kind = gaussian?.length ? `Gaussian for ${gaussian.length} of ${numeric}` : "atoms";
  return `${components} components, ${kind}`;
}

function choices({ tables, rates }: NumericResults): string {
  const lines = tables.flatMap(({ title, candidates }) =>
    candidates.map((candidate) => {
      const excess = Math.max(
        ...rates.map((_, j) => {
          const best = Math.min(...candidates.map(({ crossEntropy }) => crossEntropy[j]));
          return candidate.crossEntropy[j] / best - 1;
        }),
      );
      const name = `${candidate.method}, ${candidate.components}`;
      return [
        title,
        candidate.chosen ? `**${name}**` : name,
        ...candidate.crossEntropy.map((x) => x.toFixed(1)),
        candidate.chosen ? `${(100 * excess).toFixed(2)} %` : "",
      ];
    }),
  );
  return markdownTable(["table", "candidate", ...rates.map((rate) => `${100 * rate} %`), "excess"], lines);
}
