import { ConformantError, didYouMean, requireMade, requireNumber, show, showNames } from "../errors.ts";
import { binOf } from "../math/search.ts";
import { having, integer, numbers, type OptionsOf, readOptions } from "../options.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import { type Column, checkSchema, isDiscrete, type Schema, valueCount } from "../schema/column.ts";
import { type Data, type EncodedColumn, isMissingValue, type Table, type Value } from "../schema/data.ts";
import { type EncodeOptions, encode, encodeOptions } from "../schema/encode.ts";
import { UNSEEN, valueEncoder } from "../schema/encode-value.ts";
import {
  type ColumnMarginal,
  checkCounts,
  type DiscreteMarginal,
  type Marginals,
  type NumericMarginal,
} from "../schema/marginals.ts";
import { quantileBins } from "../schema/quantile-bins.ts";
import { checkWeights } from "../schema/rows.ts";

/** How many atoms a numeric column gets where no one says otherwise. */
export const DEFAULT_BINS = 32;

/** Options of {@link countMarginals}. */
export interface CountOptions extends Pick<EncodeOptions, "strict">, WatchOptions {
  /** Atoms per numeric column; columns with no more distinct values than this are kept exact. Default 32. */
  readonly bins?: number | undefined;
  /** Weight of each row. Default 1. */
  readonly weights?: ArrayLike<number> | undefined;
  /** Use the atoms that numeric columns of the same name have here, so that the counts of several parts of the data can be merged. */
  readonly like?: Marginals | undefined;
}

/** How {@link CountOptions} are read. */
export const countOptions = {
  ...watchOptions,
  strict: encodeOptions.strict,
  bins: integer(DEFAULT_BINS, { least: 1 }),
  weights: numbers(undefined),
  like: having<Marginals>("marginals, as countMarginals gives them", { schema: "object", columns: "object" }),
} satisfies OptionsOf<CountOptions>;

/** Counts how often each value of each column occurs, in one pass over rows or columns. */
export function countMarginals(schema: Schema, data: Data, options: CountOptions = {}): Marginals {
  const { bins, weights: given, like, strict, ...watched } = readOptions(options, countOptions);
  const watch = new Watch(watched, "reading");
  const table = encode(schema, data, { strict });
  const weights = checkWeights(given, table.rows);
  const known = atomsByName(like);
  const columns = schema.columns.map((column, i): ColumnMarginal => {
    watch.step(i / schema.columns.length);
    const cells = table.columns[i];
    if (isDiscrete(column)) return countCodes(cells, valueCount(column), weights);
    const own = known.get(column.name);
    return own ? countIntoBins(own, cells, weights) : countNumbers(cells, weights, bins);
  });
  return { schema, rows: totalWeight(table, weights), columns };
}

/** The atoms of numeric columns by name: other marginals may have their columns in another order. */
function atomsByName(like: Marginals | undefined): ReadonlyMap<string, NumericMarginal> {
  const found = new Map<string, NumericMarginal>();
  if (like === undefined) return found;
  requireMade("marginals", like, "options.like");
  like.columns.forEach((marginal, i) => {
    if (marginal.kind === "numeric") found.set(like.schema.columns[i].name, marginal);
  });
  return found;
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

/** Value and weight pairs of one column, as `SELECT value, count(*) … GROUP BY value` gives them; gaps are passed over. */
export type ValueCounts = Iterable<readonly [Value, number]>;

/** Marginals from counts that someone else computed: a database, another process, a published table. */
export function marginalsFromCounts(
  schema: Schema,
  counts: { readonly rows: number; readonly columns: Readonly<Record<string, ValueCounts>> },
  options: Pick<CountOptions, "bins"> = {},
): Marginals {
  const { bins } = readOptions(options, { bins: countOptions.bins });
  checkSchema(schema);
  requireMade("counts", counts);
  const rows = requireNumber("counts.rows", counts.rows, 0);
  const columns = schema.columns.map((column) => {
    if (!Object.hasOwn(counts.columns, column.name)) {
      const message = `counts.columns lacks column ${show(column.name)} of the schema`;
      throw new ConformantError("unknown-column", message, {
        argument: "counts.columns",
        column: column.name,
      });
    }
    const marginal = columnMarginal(column, counts.columns[column.name], bins);
    checkCounts(column, marginal, rows);
    return marginal;
  });
  return { schema, rows, columns };
}

function columnMarginal(column: Column, pairs: ValueCounts, bins: number): ColumnMarginal {
  const encodeValue = valueEncoder(column);
  const tally = new Map<number, number>();
  for (const [value, count] of pairs) {
    if (isMissingValue(value)) continue;
    requireNumber(`the count of ${show(value)} in column ${show(column.name)}`, count, 0);
    const encoded = encodeValue(value, 0);
    if (Number.isNaN(encoded) || (encoded === -1 && isDiscrete(column))) continue; // a text that stands for a missing value
    if (encoded === UNSEEN && column.kind === "categorical") {
      const known = `it has ${showNames(column.values)}${didYouMean(String(value), column.values)}`;
      const message = `column ${show(column.name)}: ${show(value)} is not one of its values; ${known}`;
      throw new ConformantError("unknown-category", message, { column: column.name, value });
    }
    if (Number.isNaN(encoded) || (encoded < 0 && isDiscrete(column))) continue; // a text that stands for a missing value
    tally.set(encoded, (tally.get(encoded) ?? 0) + count);
  }
  if (!isDiscrete(column)) {
    const values = Float64Array.from(tally.keys()).sort();
    return quantileBins(
      values,
      values.map((value) => tally.get(value) ?? 0),
      bins,
    );
  }
  return {
    kind: "discrete",
    counts: Float64Array.from({ length: valueCount(column) }, (_, code) => tally.get(code) ?? 0),
  };
}
