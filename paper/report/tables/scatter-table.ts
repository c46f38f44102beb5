import type { Measure, Results } from "../../protocol/scores/results.ts";
import { differences, largest, scatter, scatterOfRepeat, typical } from "../differences.ts";
import { MEASURE_NAMES, missingInWords, shortTitle } from "../series.ts";
import { markdownTable } from "./markdown-table.ts";

/** What counts as near: per cent of a cross entropy, points of accuracy and F1. */
const NEAR: Readonly<Record<Measure, number>> = { cross_entropy: 2, accuracy: 0.5, weighted_f1: 0.5 };

const METHODS = ["nacl", "mean", "median", "min", "naive_bayes"];

/** Ours against all points of the authors' series, beside how much that series scatters by itself. */
export function scatterTable(results: readonly Results[]): string {
  const rows = results.flatMap((result) =>
    (["cross_entropy", result.measure] as const).flatMap((measure) =>
      METHODS.flatMap((method) => line(result, measure, method)),
    ),
  );
  return markdownTable(
    [
      "dataset",
      "measure",
      "method",
      "near, of all points",
      "typical",
      "largest",
      "at",
      "scatter of their series",
      "of one repeat of ours",
    ],
    rows,
  );
}

function line(result: Results, measure: Measure, method: string): string[][] {
  const all = differences(result, "authors' files", measure, [method]);
  const most = largest(all);
  const own = scatter(result, measure, method);
  if (!most || own === undefined) return [];
  const unit = measure === "cross_entropy" ? " %" : "";
  return [
    [
      shortTitle(result),
      MEASURE_NAMES[measure],
      method,
      `${all.filter(({ value }) => Math.abs(value) <= NEAR[measure]).length} of ${all.length}`,
      `${typical(all).toFixed(2)}${unit}`,
      `${most.value.toFixed(2)}${unit}`,
      missingInWords(result, most.missing),
      `${own.toFixed(2)}${unit}`,
      `${scatterOfRepeat(result, measure, method).toFixed(2)}${unit}`,
    ],
  ];
}
