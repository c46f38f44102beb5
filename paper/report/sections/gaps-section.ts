import type { GapsResults, WayScores } from "../../gaps/compare-ways.ts";
import { markdownTable } from "../tables/markdown-table.ts";

const TITLES: Readonly<Record<string, string>> = {
  nothing_hidden: "nothing hidden",
  completed: "every row, gaps completed by draws (`trainOnIncomplete`)",
  mean_filled: "gaps filled with means",
  left_out: "rows with gaps left out",
};

/** The part of RESULTS.md about gaps in the training rows. */
export function gapsSection({ hidden, repeats, rates, datasets }: GapsResults): string[] {
  const columns = rates.map((rate) => (rate === 0 ? "complete test rows" : `${100 * rate} % missing`));
  const lines = Object.entries(datasets).flatMap(([dataset, ways]) =>
    Object.entries(TITLES).map(([way, title]) => [
      dataset,
      title,
      ...rates.map((_, at) => cell(ways[way] ?? null, at)),
    ]),
  );
  return [
    "## Gaps in the training rows",
    `\`npm run paper -- gaps\`: ${100 * hidden} % of the training cells hidden at random, ${repeats} repeats. Log loss against the labels of the test
rows ×100 ± its standard error, and weighted F1 ×100 in brackets. "Nothing hidden" and "gaps completed" predict with a mixture; filled means are filled
in test rows, too. Where rows with gaps are left out, hardly a row of Adult is left and none of Splice.`,
    markdownTable(["dataset", "learned from", ...columns], lines),
  ];
}

function cell(scores: WayScores | null, at: number): string {
  if (!scores) return "–";
  const [loss, error, f1] = [scores.log_loss[at], scores.standard_error[at], scores.weighted_f1[at]];
  return `${(100 * loss).toFixed(1)} ± ${(100 * error).toFixed(1)} (${(100 * f1).toFixed(1)})`;
}
