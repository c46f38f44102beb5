import type { Results } from "../protocol/results.ts";
import { markdownTable, type TableMeasure } from "./paper-table.ts";
import { tables } from "./published.ts";

const METHODS = ["min", "max", "mean", "median", "nacl"];

/** The paper's methods from the best to the worst by one measure, ours above the paper's. */
export function orderTable(results: readonly Results[], measure: TableMeasure): string {
  const published = measure === "cross_entropy" ? tables.cross_entropy_x100 : tables.weighted_f1_x100;
  const rows = results.flatMap((result) => {
    const from = result.missing.length - tables.missing_percent.length;
    const ours = tables.missing_percent.map((_, step) =>
      inOrder(measure, (method) => 100 * (result[measure][method]?.[from + step] ?? Number.NaN)),
    );
    const paper = tables.missing_percent.map((_, step) =>
      inOrder(measure, (method) => published[method][result.dataset][step]),
    );
    return [
      [result.title, "ours", ...ours],
      [result.title, "paper", ...paper],
    ];
  });
  return markdownTable(["dataset", "", ...tables.missing_percent.map((rate) => `${rate} %`)], rows);
}

/** "nacl, mean = median, …": the best first, equal where the printed digit is. */
function inOrder(measure: TableMeasure, value: (method: string) => number): string {
  const sign = measure === "cross_entropy" ? 1 : -1;
  const known = METHODS.filter((method) => !Number.isNaN(value(method)));
  const sorted = known.sort((a, b) => sign * (value(a) - value(b)));
  return sorted.reduce((text, method, i) => {
    if (i === 0) return method;
    const equal = value(method).toFixed(1) === value(sorted[i - 1]).toFixed(1);
    return `${text}${equal ? " = " : ", "}${method}`;
  }, "");
}
