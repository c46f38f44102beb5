import type { Results } from "../protocol/results.ts";
import { markdownTable } from "./paper-table.ts";

/** What the mixture is compared with besides NaCL. */
const RIVALS = ["naive_bayes", "min", "max", "mean", "median", "em", "mice", "knn"];
/** Missing pixels at which the table has a row; of the other datasets it has the paper's four rates. */
const PIXELS = [160, 320, 480, 640];

/** The part of RESULTS.md about mixtures: NaCL, the mixture and the best of all other methods. */
export function mixtureSection(results: readonly Results[]): string[] {
  const own = results.filter(({ cross_entropy }) => cross_entropy.mixture && cross_entropy.nacl);
  if (own.length === 0) return [];
  return [
    "## Past the paper: mixtures",
    `A mixture of naive conformant models (\`conformMixture\`; 64 components on the images, elsewhere chosen by held-out likelihood) answers complete rows
exactly as the classifier does, and drops the assumption that columns are independent given the class. Its cross entropy is ${worstExcess(own)} than NaCL's at any number of missing columns above zero.`,
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
    "Correctness is accuracy on the images and weighted F1 elsewhere.",
  ];
}

/** The largest excess of the mixture's cross entropy over NaCL's, in words. */
function worstExcess(results: readonly Results[]): string {
  const excess = Math.max(
    ...results.flatMap(({ missing, cross_entropy }) =>
      missing.flatMap((count, at) =>
        count > 0 ? [(cross_entropy.mixture[at] ?? 0) - (cross_entropy.nacl[at] ?? 0)] : [],
      ),
    ),
  );
  return excess < 0 ? "lower" : `at most ${(100 * excess).toFixed(2)} (×100) higher`;
}

function rowsOf(result: Results): string[][] {
  const correctness = result.dataset === "mnist" || result.dataset === "fashion" ? "accuracy" : "weighted_f1";
  const isImage = correctness === "accuracy";
  const counts = isImage ? PIXELS : result.missing.slice(-4);
  const places = counts.map((count) => result.missing.indexOf(count)).filter((at) => at >= 0);
  return places.map((at) => [
    result.title,
    `${result.missing[at]} of ${result.columns}`,
    ...cells(result, "cross_entropy", at, -1),
    ...cells(result, correctness, at, 1),
  ]);
}

/** NaCL, the mixture and the best of the others; the best of all in bold. */
function cells(
  result: Results,
  measure: "cross_entropy" | "accuracy" | "weighted_f1",
  at: number,
  sign: 1 | -1,
): string[] {
  const value = (method: string): number => result[measure][method]?.[at] ?? Number.NaN;
  const rivals = RIVALS.filter((method) => !Number.isNaN(value(method)));
  const rival = rivals.reduce((best, method) => (sign * value(method) > sign * value(best) ? method : best));
  const methods = ["nacl", "mixture", rival];
  const best = Math.max(...methods.map((method) => sign * value(method)));
  return methods.map((method) => {
    const text = (100 * value(method)).toFixed(1) + (method === rival ? ` (${method})` : "");
    return sign * value(method) === best ? `**${text}**` : text;
  });
}
