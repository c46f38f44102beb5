import { binOf } from "../../math/bin-of.ts";
import type { Atoms } from "../../model/atoms.ts";
import { isDiscrete } from "../../schema/column.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";

/** How finely the numbers of a column are recorded, and how they cluster. */
export interface Resolution {
  /** The distinct values, ascending. */
  readonly values: Float64Array;
  /** The smallest difference between two of them; 1 for a single value. */
  readonly step: number;
  /** The weight of the most frequent value as a share of all. */
  readonly largestShare: number;
}

/** The resolution of each numeric column, undefined for the others. */
export function resolutionsOf({ table, rows, weights }: WeightedRows): (Resolution | undefined)[] {
  return table.schema.columns.map((column, i) => {
    if (isDiscrete(column)) return undefined;
    const cells = table.columns[i];
    const known = rows.filter((r) => !Number.isNaN(cells[r]) && weights[r] > 0);
    const values = Float64Array.from(known, (r) => cells[r]);
    if (known.every((r) => weights[r] === weights[known[0]])) return resolutionOf(values.sort(), () => 1);
    const order = Array.from(known.keys()).sort((a, b) => values[a] - values[b]);
    return resolutionOf(
      Float64Array.from(order, (at) => values[at]),
      (place) => weights[known[order[place]]],
    );
  });
}

/**
 * @param sorted ascending values
 * @param weightOf the weight of the value at a place
 */
function resolutionOf(sorted: Float64Array, weightOf: (place: number) => number): Resolution {
  const values: number[] = [];
  let [step, total, run, largest] = [Number.POSITIVE_INFINITY, 0, 0, 0];
  for (let place = 0; place < sorted.length; place++) {
    const last = values[values.length - 1];
    if (sorted[place] !== last) {
      if (last !== undefined) step = Math.min(step, sorted[place] - last);
      values.push(sorted[place]);
      run = 0;
    }
    const weight = weightOf(place);
    run += weight;
    total += weight;
    largest = Math.max(largest, run);
  }
  return {
    values: Float64Array.from(values),
    step: Number.isFinite(step) ? step : 1,
    largestShare: total > 0 ? largest / total : 1,
  };
}

/**
 * log of how much of an atom's mass is a single recorded value's: atom j of a numeric column stands for all values at the
 * column's resolution between the first and the last one it was made of, spread evenly. One number per atom.
 */
export function logShares(atoms: Atoms, i: number, { values, step }: Resolution): Float64Array {
  const { edges, count } = atoms.columns[i];
  const [first, last] = [new Float64Array(count).fill(Number.NaN), new Float64Array(count).fill(Number.NaN)];
  for (const value of values) {
    const j = edges ? binOf(edges, value) : 0;
    if (Number.isNaN(first[j])) first[j] = value;
    last[j] = value;
  }
  return first.map((from, j) => (last[j] > from ? -Math.log1p((last[j] - from) / step) : 0));
}
