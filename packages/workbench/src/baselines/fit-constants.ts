import { type Column, ConformantError, type Data, type EncodedColumn, encode, type Schema } from "conformant";
import { indexOfLargest, isDiscrete, slotCount, valueCount } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { quoted } from "../source/quoted.ts";
import type { Imputer } from "./imputer.ts";

/** The statistics that can stand for a missing value. */
export type Statistic = "min" | "max" | "mean" | "median" | "most_frequent";

/**
 * Imputes a missing value by a statistic of its column in the training data, as scikit-learn's `SimpleImputer`. On a one-hot
 * group the statistic is taken of each bit by itself, as in the paper: its mean is the share of the value, its minimum
 * mostly 0. Only the most frequent is a whole value, the smallest of those that tie.
 */
export function fitConstants(schema: Schema, data: Data, method: Statistic): Imputer {
  const table = encode(schema, data);
  const offsets = slotOffsets(schema);
  const constants = new Float64Array(offsets[schema.columns.length]);
  schema.columns.forEach((column, i) => {
    constants.set(columnConstants(column, table.columns[i], method), offsets[i]);
  });
  return {
    method,
    schema,
    constants,
    fill: (rows, count) => fillConstants(rows, count, constants),
  };
}

/** Replaces every NaN by the constant of its slot. */
export function fillConstants(rows: Float64Array, count: number, constants: Float64Array): void {
  const width = constants.length;
  for (let r = 0, at = 0; r < count; r++)
    for (let slot = 0; slot < width; slot++, at++) if (Number.isNaN(rows[at])) rows[at] = constants[slot];
}

/** One value per slot of the column. */
function columnConstants(column: Column, cells: EncodedColumn, method: Statistic): Float64Array {
  const constants = isDiscrete(column)
    ? discreteConstants(column, cells, method)
    : Float64Array.of(numericStatistic(cells, method));
  if (constants.some(Number.isNaN)) {
    const message = `column ${quoted(column.name)} has no value in the training data, so its missing values cannot be imputed`;
    throw new ConformantError("empty-column", message, { column: column.name });
  }
  return constants;
}

function discreteConstants(
  column: Exclude<Column, { kind: "numeric" }>,
  cells: EncodedColumn,
  method: Statistic,
): Float64Array {
  const counts = new Float64Array(valueCount(column));
  for (let r = 0; r < cells.length; r++) if (cells[r] >= 0) counts[cells[r]]++;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const commonest = total > 0 ? indexOfLargest(counts) : Number.NaN;
  const bit = (value: number): number => {
    if (method === "most_frequent") return Number.isNaN(commonest) ? commonest : Number(value === commonest);
    return bitStatistic(counts[value] / total, method);
  };
  return Float64Array.from({ length: slotCount(column) }, (_, slot) =>
    bit(column.kind === "binary" ? 1 : slot),
  );
}

/** The statistic of a 0/1 variable that is 1 in a given share of the rows. */
function bitStatistic(share: number, method: Exclude<Statistic, "most_frequent">): number {
  if (method === "mean" || Number.isNaN(share)) return share;
  if (method === "min") return share === 1 ? 1 : 0;
  if (method === "max") return share === 0 ? 0 : 1;
  return share === 0.5 ? 0.5 : Number(share > 0.5);
}

function numericStatistic(cells: EncodedColumn, method: Statistic): number {
  const sorted = Float64Array.from(cells)
    .filter((x) => !Number.isNaN(x))
    .sort();
  const n = sorted.length;
  if (n === 0) return Number.NaN;
  if (method === "min") return sorted[0];
  if (method === "max") return sorted[n - 1];
  if (method === "median") return (sorted[Math.floor((n - 1) / 2)] + sorted[Math.floor(n / 2)]) / 2;
  if (method === "mean") return meanOf(sorted);
  return longestRun(sorted);
}

/** The mean, with a second pass over the differences against rounding. */
function meanOf(x: Float64Array): number {
  const first = x.reduce((sum, value) => sum + value, 0) / x.length;
  return first + x.reduce((sum, value) => sum + (value - first), 0) / x.length;
}

/** The most frequent value of a sorted list, the smallest of those that tie. */
function longestRun(sorted: Float64Array): number {
  let [best, length, start] = [sorted[0], 0, 0];
  for (let r = 1; r <= sorted.length; r++) {
    if (r < sorted.length && sorted[r] === sorted[start]) continue;
    if (r - start > length) [best, length] = [sorted[start], r - start];
    start = r;
  }
  return best;
}
