import { slotOffsets } from "../../schema/column.ts";
import type { EncodedColumn, Table } from "../../schema/data.ts";

/** The numeric columns of some rows, each with mean 0 and standard deviation 1 over these rows. */
export interface StandardColumns {
  /** rows × D, row-major. */
  readonly values: Float64Array;
  /** The slot of each of the D columns. */
  readonly slots: Int32Array;
  /** Weighted mean and population standard deviation, as scikit-learn's StandardScaler; scale 1 for a constant column. */
  readonly mean: Float64Array;
  readonly scale: Float64Array;
}

/** Copies the numeric columns of the given rows, which have no gaps, and standardises them. */
export function standardiseColumns(
  table: Table,
  rows: Int32Array,
  rowWeights: Float64Array,
): StandardColumns {
  const starts = slotOffsets(table.schema);
  const numeric = [...table.schema.columns.keys()].filter((i) => table.schema.columns[i].kind === "numeric");
  const width = numeric.length;
  const values = new Float64Array(rows.length * width);
  const mean = new Float64Array(width);
  const scale = new Float64Array(width);
  numeric.forEach((i, c) => {
    const cells = gather(table.columns[i], rows);
    mean[c] = weightedMean(cells, rowWeights);
    scale[c] = deviation(cells, rowWeights, mean[c]);
    for (let r = 0; r < cells.length; r++) values[r * width + c] = (cells[r] - mean[c]) / scale[c];
  });
  return { values, slots: Int32Array.from(numeric, (i) => starts[i]), mean, scale };
}

function gather(cells: EncodedColumn, rows: Int32Array): Float64Array {
  const out = new Float64Array(rows.length);
  for (let r = 0; r < rows.length; r++) out[r] = cells[rows[r]];
  return out;
}

/** Σ weight·x / Σ weight, with a second pass over the differences: a mean of 1e6 must not drown a spread of 1e-6. */
function weightedMean(x: Float64Array, weights: Float64Array): number {
  const first = meanFrom(x, weights, x[0]);
  return meanFrom(x, weights, first);
}

function meanFrom(x: Float64Array, weights: Float64Array, origin: number): number {
  let sum = 0;
  let total = 0;
  for (let r = 0; r < x.length; r++) {
    sum += weights[r] * (x[r] - origin);
    total += weights[r];
  }
  return origin + sum / total;
}

/**
 * √(Σ weight·(x − mean)² / Σ weight), and 1 for a column that is constant up to rounding: a variance of at most
 * n·ε·variance + (n·mean·ε)² (scikit-learn, `_is_constant_feature`).
 */
function deviation(x: Float64Array, weights: Float64Array, mean: number): number {
  let sum = 0;
  let total = 0;
  for (let r = 0; r < x.length; r++) {
    sum += weights[r] * (x[r] - mean) ** 2;
    total += weights[r];
  }
  const variance = sum / total;
  const rounding = x.length * Number.EPSILON * variance + (x.length * mean * Number.EPSILON) ** 2;
  return variance <= rounding ? 1 : Math.sqrt(variance);
}
