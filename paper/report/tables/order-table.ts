import { PAPER_METHODS } from "../../methods/methods.ts";
import type { Measure, Results } from "../../protocol/scores/results.ts";
import { referenceValue } from "../differences.ts";
import { tables } from "../published.ts";
import { isGain, ourValue, shortTitle } from "../series.ts";
import { markdownTable } from "./markdown-table.ts";

/** The paper's methods from the best to the worst by one measure: the paper's, the authors' files' and ours. */
export function orderTable(results: readonly Results[], measure: Measure): string {
  const rows = results.flatMap((result) => {
    const line = (
      source: string,
      numberAt: (method: string, missing: number) => number | null,
    ): string[][] => {
      const cells = result.rates.map((missing) => inOrder(measure, (method) => numberAt(method, missing)));
      return cells.every((text) => text === "") ? [] : [[shortTitle(result), source, ...cells]];
    };
    return [
      ...line("paper", (method, missing) => referenceValue(result, "paper", measure, method, missing)),
      ...line("authors' files", (method, missing) =>
        referenceValue(result, "authors' files", measure, method, missing),
      ),
      ...line("ours", (method, missing) => ourValue(result, measure, method, missing)),
    ];
  });
  return markdownTable(["dataset", "", ...tables.missing_percent.map((rate) => `${rate} %`)], rows);
}

/** "nacl, mean = median, …": the best first, equal where the printed digit is. */
export function inOrder(measure: Measure, numberAt: (method: string) => number | null): string {
  const known = PAPER_METHODS.flatMap((method) => {
    const value = numberAt(method);
    return value === null ? [] : [{ method, value: 100 * value }];
  });
  const sorted = known.sort((a, b) => (isGain(measure) ? b.value - a.value : a.value - b.value));
  return sorted.reduce((text, { method, value }, i) => {
    if (i === 0) return method;
    const equal = value.toFixed(1) === sorted[i - 1].value.toFixed(1);
    return `${text}${equal ? " = " : ", "}${method}`;
  }, "");
}
