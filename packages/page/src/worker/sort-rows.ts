import { isMissingText, readNumberText } from "conformant/texts";
import type { PredictedTable } from "./predict-table.ts";
import type { Found, Sorting, View } from "./rows-messages.ts";

/** The rows in an order, by their positions; gaps come last either way, and of equal rows the earlier first. */
export function sortRows(table: PredictedTable, { by, falling }: Sorting): Int32Array {
  const order = Int32Array.from(table.cells.keys());
  const keys = keysOf(table, by);
  const sign = falling ? -1 : 1;
  return order.sort((a, b) => compare(keys[a], keys[b], sign) || a - b);
}

/** The rows of a view, by their positions, and what its threshold finds and misses. */
export function viewRows(
  table: PredictedTable,
  { sorting, filter }: View,
  order = sortRows(table, sorting),
): { order: Int32Array; found: Found } {
  if (!filter) return { order, found: { shown: order.length } };
  const { classes, probabilities, truth } = table;
  const reaches = (r: number): boolean =>
    probabilities[r * classes.length + filter.class] >= filter.threshold;
  const shown = order.filter(reaches);
  if (!truth) return { order: shown, found: { shown: shown.length } };
  const isOne = (r: number): boolean => truth[r] === filter.class;
  const counts = { right: shown.filter(isOne).length, all: order.filter(isOne).length };
  return { order: shown, found: { shown: shown.length, ...counts } };
}

type Key = number | string | undefined;

/** What each row is sorted by; undefined where there is nothing. */
function keysOf(
  { cells, classes, predicted, probabilities, numbers }: PredictedTable,
  by: Sorting["by"],
): Key[] {
  if (by === "row") return cells.map((_, r) => r);
  if (by === "prediction" && numbers) return Array.from(numbers);
  if (by === "prediction") return predicted.map((k) => classes[k]);
  if (by === "probability") return predicted.map((k, r) => probabilities[r * classes.length + k]);
  if (typeof by === "string") {
    const k = Number(by.replace("class ", ""));
    return cells.map((_, r) => probabilities[r * classes.length + k]);
  }
  return cells.map((line) => {
    const text = (line[by] ?? "").trim();
    return isMissingText(text) ? undefined : (readNumberText(text) ?? text);
  });
}

const { compare: compareTexts } = new Intl.Collator("en", { numeric: true });

/** Numbers before texts, nothing last. */
function compare(a: Key, b: Key, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  if (typeof a === "string" && typeof b === "string") return sign * compareTexts(a, b);
  return sign * (typeof a === "number" ? -1 : 1);
}
