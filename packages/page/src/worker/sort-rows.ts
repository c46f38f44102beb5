import { isMissingText, readNumberText } from "conformant/texts";
import type { PredictedTable } from "./predict-table.ts";
import type { Sorting } from "./rows-messages.ts";

/** The rows in an order, by their positions; gaps come last either way, and of equal rows the earlier first. */
export function sortRows(table: PredictedTable, { by, falling }: Sorting): Int32Array {
  const order = Int32Array.from(table.cells.keys());
  const keys = keysOf(table, by);
  const sign = falling ? -1 : 1;
  return order.sort((a, b) => compare(keys[a], keys[b], sign) || a - b);
}

type Key = number | string | undefined;

/** What each row is sorted by; undefined where there is nothing. */
function keysOf({ cells, classes, predicted, probabilities }: PredictedTable, by: Sorting["by"]): Key[] {
  if (by === "row") return cells.map((_, r) => r);
  if (by === "prediction") return predicted.map((k) => classes[k]);
  if (by === "probability") return predicted.map((k, r) => probabilities[r * classes.length + k]);
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
