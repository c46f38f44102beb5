import type { Results } from "../protocol/results.ts";
import { markdownTable } from "./paper-table.ts";

const RIVALS = [
  "min",
  "max",
  "mean",
  "median",
  "em",
  "mice",
  "knn",
  "reduced",
  "nacl",
  "nacl_columns",
  "mixture",
];

/** Q1: cross entropy ×100 at about 1 % missing, where the paper compares EM and MICE. */
export function onePercentTable(results: readonly Results[]): string {
  const methods = RIVALS.filter((method) => results.some((result) => result.cross_entropy[method]));
  const rows = results.map((result) => {
    const at = result.missing.indexOf(result.one_percent);
    const values = methods.map((method) => result.cross_entropy[method]?.[at] ?? null);
    const least = Math.min(...values.filter((value) => value !== null));
    const cells = values.map((value) => {
      if (value === null) return "";
      const text = (100 * value).toFixed(2);
      return value === least ? `**${text}**` : text;
    });
    return [result.title, `${result.one_percent} of ${result.columns}`, ...cells];
  });
  return markdownTable(["×100", "missing", ...methods], rows);
}

/** Q2: at how many of the numbers of missing columns NaCL is best of the paper's methods, by both measures. */
export function fidelityTable(results: readonly Results[]): string {
  const rows = results.map((result) => {
    const correctness =
      result.dataset === "mnist" || result.dataset === "fashion" ? "accuracy" : "weighted_f1";
    const from = result.missing.flatMap((missing, at) => (missing > result.one_percent ? [at] : []));
    const closest = from.filter((at) => best(result, "cross_entropy", at) === "nacl").length;
    const right = from.filter((at) => best(result, correctness, at) === "nacl").length;
    return [
      result.title,
      correctness.replace("_", " "),
      `${closest} of ${from.length}`,
      `${right} of ${from.length}`,
    ];
  });
  return markdownTable(
    ["dataset", "measure", "NaCL closest to the full prediction", "NaCL most often right"],
    rows,
  );
}

/** The best of the paper's five methods at one number of missing columns. */
function best(result: Results, measure: "cross_entropy" | "accuracy" | "weighted_f1", at: number): string {
  const sign = measure === "cross_entropy" ? -1 : 1;
  const methods = ["nacl", "mean", "median", "min", "max"];
  const value = (method: string): number => sign * (result[measure][method]?.[at] ?? Number.NaN);
  return methods.reduce((winner, method) => (value(method) > value(winner) ? method : winner));
}

/** Q3: correctness of NaCL and of naive Bayes, and up to how many missing columns NaCL is ahead. */
export function naiveBayesTable(results: readonly Results[]): string {
  const rows = results.map((result) => {
    const correctness =
      result.dataset === "mnist" || result.dataset === "fashion" ? "accuracy" : "weighted_f1";
    const [nacl, bayes] = [result[correctness].nacl, result[correctness].naive_bayes];
    if (!nacl || !bayes) return [result.title, correctness.replace("_", " "), "", "", ""];
    const behind = result.missing.findIndex((_, at) => (nacl[at] ?? 0) < (bayes[at] ?? 0));
    const until =
      behind < 0
        ? "always"
        : behind === 0
          ? "never"
          : `${Math.round((100 * result.missing[behind - 1]) / result.columns)} %`;
    const text = (value: number | null): string => (value === null ? "" : (100 * value).toFixed(1));
    return [result.title, correctness.replace("_", " "), text(nacl[0]), text(bayes[0]), until];
  });
  return markdownTable(
    [
      "dataset",
      "×100",
      "logistic regression, complete rows",
      "naive Bayes, complete rows",
      "NaCL ahead until",
    ],
    rows,
  );
}
