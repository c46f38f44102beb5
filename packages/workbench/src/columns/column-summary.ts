import type { Column, NumericMarginal } from "conformant";
import type { ChosenColumn } from "./column-decision.ts";

/** The training data of a column, as the page draws it. */
export interface ColumnSummary {
  readonly name: string;
  /** Share of rows in which it is missing. */
  readonly missing: number;
  /** Numbers: range, and a histogram of equally wide bins between its ends. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly histogram?: readonly number[];
  /** Categories: rows of each value, in the order of the model's column. */
  readonly counts?: readonly number[];
}

/** Bars of a histogram in a model file. */
const BARS = 20;

/** Summaries of the columns of a model that were counted in its training data. */
export function summarizeColumns(
  columns: readonly Column[],
  chosen: readonly ChosenColumn[],
  rows: number,
): ColumnSummary[] {
  const counted = new Map(chosen.map((column) => [column.column.name, column]));
  return columns.flatMap((column) => {
    const own = counted.get(column.name);
    return own ? [summarizeColumn(column, own, rows)] : [];
  });
}

function summarizeColumn(
  column: Column,
  { column: own, known, range, marginal }: ChosenColumn,
  rows: number,
): ColumnSummary {
  const { name } = column;
  const missing = rows === 0 ? 0 : 1 - known / rows;
  if (marginal.kind === "numeric") {
    const [minimum, maximum] = range ?? [marginal.values[0], marginal.values[marginal.values.length - 1]];
    return { name, missing, minimum, maximum, histogram: histogramOf(marginal, [minimum, maximum], BARS) };
  }
  const counts = Array.from(marginal.counts);
  if (column.kind !== "categorical" || own.kind !== "categorical") return { name, missing, counts };
  const places = new Map(own.values.map((value, place) => [value, place]));
  return { name, missing, counts: column.values.map((value) => counts[places.get(value) ?? -1] ?? 0) };
}

/** Rows in equally wide bins between two ends; the rows of an atom that stands for many values are spread evenly between its edges. */
export function histogramOf(
  { exact, values, edges, counts }: NumericMarginal,
  [least, most]: readonly [number, number],
  bars: number,
): number[] {
  const sums = new Float64Array(bars);
  const place = (x: number): number => (most > least ? ((x - least) / (most - least)) * bars : 0);
  values.forEach((value, j) => {
    const [from, to] = exact
      ? [place(value), place(value)]
      : [place(edges[j - 1] ?? least), place(edges[j] ?? most)];
    if (to <= from) {
      sums[Math.min(bars - 1, Math.max(0, Math.floor(from)))] += counts[j];
      return;
    }
    for (let b = Math.max(0, Math.floor(from)); b < Math.min(bars, to); b++)
      sums[b] += (counts[j] * Math.max(0, Math.min(b + 1, to) - Math.max(b, from))) / (to - from);
  });
  return wholeParts(sums);
}

/** Whole numbers with the same sum, each cumulated one rounded. */
function wholeParts(parts: Float64Array): number[] {
  let [sum, rounded] = [0, 0];
  return Array.from(parts, (part) => {
    sum += part;
    const next = Math.round(sum) - rounded;
    rounded += next;
    return next;
  });
}
