import { METHODS, PAPER_METHODS } from "../../methods/methods.ts";
import type { Measure, Results } from "../../protocol/scores/results.ts";
import { referenceValue } from "../differences.ts";
import { tables } from "../published.ts";
import { isGain, ourValue, shortTitle } from "../series.ts";
import { markdownTable } from "./markdown-table.ts";

/** A line of a table: for each result and rate a number, and how it is written. */
type NumberAt = (result: Results, method: string, missing: number) => number | null;

/**
 * A table in the paper's layout: a method a row, 20, 40, 60, 80 % a column for each dataset, all ×100. The paper's number, that of
 * the authors' files and ours stand below each other where there are such; the best of the paper's five in bold.
 */
export function paperTable(results: readonly Results[], measure: Measure): string {
  const header = results.flatMap((result) =>
    tables.missing_percent.map((rate) => `${shortTitle(result)} ${rate} %`),
  );
  const published = results.some(({ split }) => split === "authors");
  const rows = METHODS.flatMap(({ name, label }) => {
    const sources: [string, NumberAt][] = [
      ["paper", (result, method, missing) => referenceValue(result, "paper", measure, method, missing)],
      [
        "authors' files",
        (result, method, missing) => referenceValue(result, "authors' files", measure, method, missing),
      ],
    ];
    const lines: [string, NumberAt][] = [
      ...(published ? sources : []),
      ["ours", (result, method, missing) => ourValue(result, measure, method, missing)],
    ];
    return lines.flatMap(([source, numberAt]) => {
      const cells = results.flatMap((result) =>
        result.rates.map((missing) => cell(result, measure, name, missing, numberAt, source === "ours")),
      );
      return cells.every((text) => text === "") ? [] : [[label, source, ...cells]];
    });
  });
  return markdownTable(["×100", "", ...header], rows);
}

function cell(
  result: Results,
  measure: Measure,
  method: string,
  missing: number,
  numberAt: NumberAt,
  withError: boolean,
): string {
  const value = numberAt(result, method, missing);
  if (value === null) return "";
  const error = result.standard_error[measure][method]?.[result.missing.indexOf(missing)] ?? null;
  const text = `${(100 * value).toFixed(1)}${withError && error !== null ? ` ± ${(100 * error).toFixed(2)}` : ""}`;
  const baselines = PAPER_METHODS.map((name) => numberAt(result, name, missing)).filter((x) => x !== null);
  const best = isGain(measure) ? Math.max(...baselines) : Math.min(...baselines);
  return PAPER_METHODS.includes(method) && value === best ? `**${text}**` : text;
}
