import type { Results, Series } from "../protocol/results.ts";
import { tables } from "./published.ts";

const METHODS: readonly (readonly [method: string, label: string])[] = [
  ["min", "Min"],
  ["max", "Max"],
  ["mean", "Mean"],
  ["median", "Median"],
  ["nacl", "NaCL"],
];

/** Methods that the paper's tables do not have; shown below theirs. */
const MORE: readonly (readonly [method: string, label: string])[] = [
  ["nacl_columns", "NaCL, a group as one column"],
  ["naive_bayes", "Naive Bayes"],
  ["em", "EM"],
  ["mice", "Chained equations"],
  ["knn", "Nearest neighbours"],
  ["mixture", "Mixture"],
];

export type TableMeasure = "cross_entropy" | "weighted_f1";

/**
 * A table in the paper's layout: a method a row, 20, 40, 60, 80 % a column for each dataset; ours above the paper's,
 * all ×100, ours with the standard error of its last digit's scale, the best of each in bold.
 */
export function paperTable(results: readonly Results[], measure: TableMeasure): string {
  const header = results.flatMap(({ title }) => tables.missing_percent.map((rate) => `${title} ${rate} %`));
  const own = [...METHODS, ...MORE].filter(([method]) => results.some((result) => result[measure][method]));
  const compared = METHODS.map(([method]) => method);
  const rows = own.flatMap(([method, label]) => {
    const ours = [label, "ours", ...results.flatMap((result) => ourCells(result, measure, method, compared))];
    if (!compared.includes(method)) return [ours];
    const paper = [
      label,
      "paper",
      ...results.flatMap((result) => paperCells(result, measure, method, compared)),
    ];
    return [ours, paper];
  });
  return markdownTable(["×100", "", ...header], rows);
}

/** Our means at the four rates: the last four entries of `missing`. */
function ourCells(
  result: Results,
  measure: TableMeasure,
  method: string,
  compared: readonly string[],
): string[] {
  const series: Series = result[measure];
  const errors = result.standard_error[measure][method] ?? [];
  const from = result.missing.length - 4;
  return [0, 1, 2, 3].map((step) => {
    const value = series[method]?.[from + step];
    if (value === null || value === undefined) return "";
    const error = errors[from + step] ?? null;
    const rivals = compared.flatMap((name) => series[name]?.[from + step] ?? []);
    const text = `${percent(value)}${error === null ? "" : ` ± ${(100 * error).toFixed(2)}`}`;
    return compared.includes(method) && isBest(value, rivals, measure) ? `**${text}**` : text;
  });
}

function paperCells(
  { dataset }: Results,
  measure: TableMeasure,
  method: string,
  compared: readonly string[],
): string[] {
  const table = measure === "cross_entropy" ? tables.cross_entropy_x100 : tables.weighted_f1_x100;
  return (table[method]?.[dataset] ?? []).map((value, step) => {
    const rivals = compared.map((name) => table[name][dataset][step]);
    return isBest(value, rivals, measure) ? `**${value.toFixed(1)}**` : value.toFixed(1);
  });
}

function isBest(value: number, rivals: readonly number[], measure: TableMeasure): boolean {
  return value === (measure === "cross_entropy" ? Math.min(...rivals) : Math.max(...rivals));
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}

/** A Markdown table. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = header.map((_, i) => (i < 2 ? "---" : "---:"));
  return [line(header), line(rule), ...rows.map(line)].join("\n");
}
