import { requireInteger } from "../errors.ts";
import { binOf } from "../math/bin-of.ts";
import { isDiscrete, type Schema, valueCount } from "../schema/column.ts";
import type { Data, EncodedColumn, Table } from "../schema/data.ts";
import { type EncodeOptions, encode } from "../schema/encode.ts";
import { checkWeights } from "../schema/weights.ts";
import { Watch, type WatchOptions } from "../watch.ts";
import type { ColumnMarginal, DiscreteMarginal, Marginals, NumericMarginal } from "./marginals.ts";
import { quantileBins } from "./quantile-bins.ts";

/** How many atoms a numeric column gets where no one says otherwise. */
export const DEFAULT_BINS = 32;

/** Options of {@link countMarginals}. */
export interface CountOptions extends Pick<EncodeOptions, "strict">, WatchOptions {
  /** Atoms per numeric column; columns with no more distinct values than this are kept exact. Default 32. */
  readonly bins?: number;
  /** Weight of each row. Default 1. */
  readonly weights?: ArrayLike<number>;
  /** Use the atoms of these marginals, so that the counts of several parts of the data can be merged. */
  readonly like?: Marginals;
}

/** Counts how often each value of each column occurs, in one pass over rows or columns. */
export function countMarginals(schema: Schema, data: Data, options: CountOptions = {}): Marginals {
  const watch = new Watch(options, "reading");
  const bins = requireInteger("options.bins", options.bins ?? DEFAULT_BINS, 1);
  const table = encode(schema, data, options);
  const weights = checkWeights(options.weights, table.rows);
  const columns = schema.columns.map((column, i): ColumnMarginal => {
    watch.step(i / schema.columns.length);
    const cells = table.columns[i];
    if (isDiscrete(column)) return countCodes(cells, valueCount(column), weights);
    const like = options.like?.columns[i];
    return like?.kind === "numeric"
      ? countIntoBins(like, cells, weights)
      : countNumbers(cells, weights, bins);
  });
  return { schema, rows: totalWeight(table, weights), columns };
}

function countCodes(
  cells: EncodedColumn,
  values: number,
  weights: Float64Array | undefined,
): DiscreteMarginal {
  // A gap, −1, is counted before the others.
  const counts = weights ? new Float64Array(values + 1) : new Int32Array(values + 1);
  if (weights) for (let r = 0; r < cells.length; r++) counts[cells[r] + 1] += weights[r];
  else for (let r = 0; r < cells.length; r++) counts[cells[r] + 1]++;
  return { kind: "discrete", counts: Float64Array.from(counts.subarray(1)) };
}

function countNumbers(
  cells: EncodedColumn,
  weights: Float64Array | undefined,
  bins: number,
): NumericMarginal {
  return weights === undefined
    ? runLengths(Float64Array.from(cells.filter((x) => !Number.isNaN(x))).sort(), undefined, bins)
    : weightedRunLengths(cells, weights, bins);
}

function weightedRunLengths(cells: EncodedColumn, weights: Float64Array, bins: number): NumericMarginal {
  const order = Array.from(cells.keys()).filter((r) => !Number.isNaN(cells[r]) && weights[r] > 0);
  order.sort((a, b) => cells[a] - cells[b]);
  return runLengths(
    Float64Array.from(order, (r) => cells[r]),
    Float64Array.from(order, (r) => weights[r]),
    bins,
  );
}

/** Collapses ascending values to distinct ones with their weights, and these to atoms. */
function runLengths(sorted: Float64Array, weights: Float64Array | undefined, bins: number): NumericMarginal {
  const values = new Float64Array(sorted.length);
  const counts = new Float64Array(sorted.length);
  let last = -1;
  for (let r = 0; r < sorted.length; r++) {
    if (last < 0 || sorted[r] !== values[last]) values[++last] = sorted[r];
    counts[last] += weights ? weights[r] : 1;
  }
  return quantileBins(values.subarray(0, last + 1), counts.subarray(0, last + 1), bins);
}

/** Counts into given atoms; the representatives stay those of `like`, so that the parts can be added. */
function countIntoBins(
  like: NumericMarginal,
  cells: EncodedColumn,
  weights: Float64Array | undefined,
): NumericMarginal {
  const counts = new Float64Array(like.values.length);
  for (let r = 0; r < cells.length; r++) {
    if (!Number.isNaN(cells[r])) counts[binOf(like.edges, cells[r])] += weights ? weights[r] : 1;
  }
  return { ...like, counts };
}

function totalWeight(table: Table, weights: Float64Array | undefined): number {
  return weights === undefined ? table.rows : weights.reduce((sum, w) => sum + w, 0);
}
