import type { NumericResults, NumericScore, NumericTableResults } from "../numeric/numeric-results.ts";
import { markdownTable } from "./markdown-table.ts";

/** The part of RESULTS.md about numeric columns as they are. */
export function numericSection(results: NumericResults): string[] {
  const compared = results.tables.filter(({ scores }) => scores.length > 1);
  return [
    "## Numeric columns as they are",
    "Beyond the paper, which turns every number into a bit: `npm run paper -- numeric`. Cross entropy to the full-data prediction ×100 " +
      'with so many columns of every test row hidden; lower is closer. "auto" is `conformMixture` without options, which chooses between ' +
      "atoms and Gaussians for the numeric columns and the number of components by held-out likelihood; the time of its fit is mostly that " +
      "of choosing. With its limit of 60 seconds the sizes it gets to depend on the machine.",
    ...compared.flatMap((table) => [comparison(table, results.rates)]),
    "### What auto chose from",
    "Every candidate has the number of components that held-out rows prefer for it. Bold: the one that was chosen. The last column is " +
      "the largest excess of the chosen one over the best at any rate.",
    choices(results),
  ];
}

function comparison(table: NumericTableResults, rates: readonly number[]): string {
  const { title, rows, columns, hidden, complete } = table;
  const atoms = table.candidates.filter(({ method }) => method === "atoms");
  const all: NumericScore[] = [
    ...table.scores.filter(({ method }) => method !== "auto"),
    ...atoms.map((score) => ({ ...score, method: "mixture with atoms" })),
    ...table.scores.filter(({ method }) => method === "auto"),
  ];
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
