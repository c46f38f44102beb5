import type { Atoms } from "../distribution/atoms.ts";
import { ConformantError, show } from "../errors.ts";
import { binOf } from "../math/search.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { isDiscrete, type Schema, slotOffsets } from "../schema/column.ts";
import type { WeightedRows } from "../schema/rows.ts";
import { type Description, isCostly } from "./mixture-problem.ts";

/**
 * What describes the numeric columns inside a component: "atoms", each column by itself as in the paper's method; "gaussian",
 * all of them together with their correlations; "auto", whichever answers held-out rows with hidden cells better.
 */
export type NumericKind = "atoms" | "gaussian" | "auto";

/** A kind, or the names of the numeric columns that are described together; the others keep their atoms. */
export type NumericOption = NumericKind | readonly string[];

/** A value with a larger share of the rows than this is a spike, which no density describes. */
const SPIKE = 0.1;
/** Rows that tell whether a column varies and looks continuous. */
const LOOKED_AT = 12_000;
/** Atoms of a number where the usual ones would make steps costly. */
const FEWER_BINS = [2, 8];
/** "auto" tries no full covariance of more columns, because a row with gaps costs their number cubed, but one of low rank plus diagonal. */
const MOST_COLUMNS = 256;
/** Columns of such a covariance: of more those are taken that matter most, and of fewer it would not save much. */
const [LEAST_LOW_RANK, MOST_LOW_RANK] = [32, 1024];
/** Its rank is so many times the root of their number, or a share of it where that is more, and with the classes at most a part of it. */
const [RANK, RANK_SHARE, MOST_RANK] = [2, 0.2, 0.5];

/**
 * The ways to describe the columns that there are to choose from. Where the atoms of hundreds of columns would make steps costly there may be
 * fewer of each: it is faster, and numbers that go together count less as the independent evidence that they are taken for. The covariances of a
 * Gaussian are of low rank plus diagonal there.
 *
 * @param given.sized whether the number of components is given
 */
export function columnsToTry(
  kind: NumericOption,
  classifier: ClassTilt,
  data: WeightedRows,
  {
    bins,
    rank: given,
    sized,
  }: { readonly bins: number; readonly rank?: number | undefined; readonly sized: boolean },
): Description[] {
  const numbers = classifier.schema.columns.filter((column) => column.kind === "numeric").length;
  const costly = !sized && isCostly(numbers * bins * classifier.intercept.length ** 2);
  const fewer = costly ? FEWER_BINS.map((few) => ({ gaussianColumns: [], bins: Math.min(few, bins) })) : [];
  const candidates = gaussianCandidates(kind, classifier, data, bins);
  return candidates.flatMap((gaussianColumns): Description[] => {
    if (gaussianColumns.length === 0) return costly ? fewer : [{ gaussianColumns }];
    if (given !== undefined) return [{ gaussianColumns, rank: Math.min(given, gaussianColumns.length) }];
    if (kind !== "auto" || (!costly && gaussianColumns.length <= MOST_COLUMNS)) return [{ gaussianColumns }];
    const rank = rankFor(gaussianColumns.length, classifier.intercept.length);
    return rank === undefined ? [] : [{ gaussianColumns, rank }];
  });
}

/** The rank of covariances over n columns that is tried; undefined where it would not be low. */
function rankFor(n: number, K: number): number | undefined {
  const rank = Math.round(Math.max(RANK * Math.sqrt(n), RANK_SHARE * n));
  return n >= LEAST_LOW_RANK && rank + K <= MOST_RANK * n ? rank : undefined;
}

/**
 * The columns of the Gaussian to choose from. "auto" compares no Gaussian, all numeric columns that vary, and of these the ones that
 * look continuous: more distinct values than there would be atoms, none of which is a spike. Of too many columns those are taken that
 * move the classes' scores most; the others keep their atoms.
 */
function gaussianCandidates(
  kind: NumericOption,
  classifier: ClassTilt,
  data: WeightedRows,
  bins: number,
): number[][] {
  const { columns } = classifier.schema;
  const numeric = columns.flatMap((column, i) => (column.kind === "numeric" ? [i] : []));
  if (typeof kind !== "string") return [numeric.filter((i) => kind.includes(columns[i].name))];
  if (kind === "atoms" || numeric.length === 0) return [[]];
  if (kind === "gaussian") return [numeric];
  const spacing = Math.ceil(data.rows.length / LOOKED_AT);
  const resolutions = resolutionsOf({ ...data, rows: data.rows.filter((_, at) => at % spacing === 0) });
  const varying = numeric.filter((i) => (resolutions[i]?.values.length ?? 0) > 1);
  const continuous = varying.filter((i) => {
    const { values, largestShare } = resolutions[i] ?? { values: [], largestShare: 1 };
    return values.length > bins && largestShare <= SPIKE;
  });
  const mostInfluential = (candidate: number[]): number[] =>
    candidate.length <= MOST_LOW_RANK
      ? candidate
      : byInfluence(classifier, candidate, data).slice(0, MOST_LOW_RANK);
  const candidates = [[], mostInfluential(varying), mostInfluential(continuous)];
  for (const candidate of candidates) candidate.sort((a, b) => a - b);
  return candidates.filter(
    (candidate, c) => candidates.findIndex((other) => other.join() === candidate.join()) === c,
  );
}

/** Those of some numeric columns that have weights, the ones first that move the classes' scores most: by their deviation times that of their weights. */
function byInfluence(
  { schema, intercept, weights }: ClassTilt,
  columns: readonly number[],
  { table, rows }: WeightedRows,
): number[] {
  const [slots, K] = [slotOffsets(schema), intercept.length];
  const influence = columns.map((i) => {
    const cells = Float64Array.from(rows, (r) => table.columns[i][r]).filter((x) => !Number.isNaN(x));
    return varianceOf(cells) * varianceOf(weights.subarray(slots[i] * K, slots[i] * K + K));
  });
  const order = Array.from(columns.keys()).sort((a, b) => influence[b] - influence[a]);
  return order.filter((at) => influence[at] > 0).map((at) => columns[at]);
}

function varianceOf(numbers: Float64Array): number {
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  return numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length;
}

/** Checks the option against the columns there are. */
export function checkNumeric(option: unknown, { columns }: Schema): NumericOption {
  if (option === "atoms" || option === "gaussian" || option === "auto") return option;
  if (!Array.isArray(option)) {
    const message = `options.numeric must be "atoms", "gaussian", "auto" or a list of numeric columns, got ${show(option)}`;
    throw new ConformantError("invalid-argument", message, { argument: "options.numeric", value: option });
  }
  const stranger = option.find((name) => !columns.some((own) => own.kind === "numeric" && own.name === name));
  if (stranger === undefined) return option;
  const message = `options.numeric: ${show(stranger)} is not a numeric column`;
  throw new ConformantError("invalid-argument", message, { argument: "options.numeric", value: stranger });
}

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
