import { METHODS } from "../../methods/methods.ts";
import type { Measure, Results } from "../../protocol/scores/results.ts";
import { isGain, ourValue, shortTitle } from "../series.ts";
import { markdownTable } from "../tables/markdown-table.ts";

/** What the mixture is compared with besides NaCL. */
const COMPARED_METHODS = METHODS.map(({ name }) => name).filter(
  (name) => !["nacl", "nacl_columns", "mixture"].includes(name),
);

/** The part of RESULTS.md about what has come since: NaCL, the mixture and the best of all other methods. */
export function beyondSection(results: readonly Results[]): string[] {
  const own = results.filter(({ cross_entropy }) => cross_entropy.mixture && cross_entropy.nacl);
  if (own.length === 0) return [];
  return [
    "## Past the paper: mixtures and the other baselines",
    `A mixture of naive conformant models (\`conformMixture\`; 64 components on the images, elsewhere chosen by held-out likelihood) answers complete rows
exactly as the classifier does, and drops the assumption that columns are independent given the class. Its cross entropy is ${worstExcess(own)} than NaCL's at any number of missing columns above zero
that both ran at. All methods are in the tables and figures above; here, on the repeats that all have, NaCL, the mixture and the best of all others:`,
    markdownTable(
      [
        "dataset",
        "missing",
        "cross entropy ×100: NaCL",
        "mixture",
        "best other",
        "correctness ×100: NaCL",
        "mixture",
        "best other",
      ],
      own.flatMap(rowsOf),
    ),
    "Correctness is accuracy on the images and weighted F1 elsewhere. Numeric columns as they are, with Gaussians, have a section of their own below.",
  ];
}

/** The largest excess of the mixture's cross entropy over NaCL's, in words. */
function worstExcess(results: readonly Results[]): string {
  const excess = Math.max(
    ...results.flatMap((result) =>
      result.missing.flatMap((missing) => {
        const mixture = ourValue(result, "cross_entropy", "mixture", missing);
        const nacl = ourValue(result, "cross_entropy", "nacl", missing);
        return missing > 0 && missing < result.columns && mixture !== null && nacl !== null
          ? [mixture - nacl]
          : [];
      }),
    ),
  );
  return excess < 0 ? "lower" : `at most ${(100 * excess).toFixed(2)} (×100) higher`;
}

function rowsOf(result: Results): string[][] {
  return result.rates.map((missing) => [
    `${shortTitle(result)} (${result.split})`,
    `${missing} of ${result.columns}`,
    ...cells(result, "cross_entropy", missing),
    ...cells(result, result.measure, missing),
  ]);
}

/** NaCL, the mixture and the best of the others; the best of all in bold. */
function cells(result: Results, measure: Measure, missing: number): string[] {
  const sign = isGain(measure) ? 1 : -1;
  const value = (method: string): number => sign * (ourValue(result, measure, method, missing) ?? Number.NaN);
  const baselines = COMPARED_METHODS.filter((method) => !Number.isNaN(value(method)));
  const baseline = baselines.reduce(
    (best, method) => (value(method) > value(best) ? method : best),
    baselines[0],
  );
  const methods = ["nacl", "mixture", baseline];
  const best = Math.max(...methods.map(value).filter((x) => !Number.isNaN(x)));
  return methods.map((method) => {
    if (method === undefined || Number.isNaN(value(method))) return "";
    const text = (100 * sign * value(method)).toFixed(1) + (method === baseline ? ` (${method})` : "");
    return value(method) === best ? `**${text}**` : text;
  });
}
