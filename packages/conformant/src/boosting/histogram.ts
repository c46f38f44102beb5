import { binOf } from "../math/search.ts";
import { offsets } from "../math/vectors.ts";
import { isDiscrete, valueCount } from "../schema/column.ts";
import { isMissingCell, type Table } from "../schema/data.ts";
import { quantileBins } from "../schema/quantile-bins.ts";

/** Numbers per bin: the sums of the gradients and of the curvatures of its rows, and their count. */
export const PER_BIN = 3;

/** First and second derivative of the loss in each row's score. */
export interface Derivatives {
  readonly gradient: Float64Array;
  readonly curvature: Float64Array;
}

/** Where the bins of each column start in a histogram over all of them; the last entry is its length. */
export function histogramLayout(columns: readonly BinnedColumn[]): Int32Array {
  return offsets(columns.map(({ count }) => (count + 1) * PER_BIN));
}

/** Sums of gradients and curvatures over some rows, for every bin of every column. */
export function fillHistogram(
  columns: readonly BinnedColumn[],
  starts: Int32Array,
  rows: Int32Array,
  derivatives: Derivatives,
): Float64Array {
  const histogram = new Float64Array(starts[columns.length]);
  columns.forEach(({ bins }, i) => {
    addColumn(histogram.subarray(starts[i], starts[i + 1]), bins, rows, derivatives);
  });
  return histogram;
}

function addColumn(
  sums: Float64Array,
  bins: BinCodes,
  rows: Int32Array,
  { gradient, curvature }: Derivatives,
): void {
  for (let j = 0; j < rows.length; j++) {
    const r = rows[j];
    const at = PER_BIN * bins[r];
    sums[at] += gradient[r];
    sums[at + 1] += curvature[r];
    sums[at + 2]++;
  }
}

/** What is left of a node's histogram when that of one child is taken away: the other's. */
export function subtract(whole: Float64Array, part: Float64Array): Float64Array {
  const rest = new Float64Array(whole.length);
  for (let at = 0; at < rest.length; at++) rest[at] = whole[at] - part[at];
  return rest;
}

/** Bins of a number at most; one more is for the gap. */
const MOST_BINS = 255;

/** The bin of each row, in 16 bits where these hold all bins. */
type BinCodes = Uint16Array | Uint32Array;

/** A column as histograms see it. */
export interface BinnedColumn {
  /** The bin of each row; the last one is for missing values. */
  readonly bins: BinCodes;
  /** How many bins there are without the gap's. */
  readonly count: number;
  /** Numbers: bin j holds the values in [edges[j − 1], edges[j]). */
  readonly edges?: Float64Array;
  /** Whether the bins have an order: numbers and bits have, categories have not. */
  readonly ordered: boolean;
}

/** The columns of a table in bins: numbers by quantiles of the given rows, everything else by its values. */
export function binRows(table: Table, rows: Int32Array): BinnedColumn[] {
  return table.schema.columns.map((column, i) => {
    const cells = table.columns[i];
    if (isDiscrete(column)) {
      const count = valueCount(column);
      const bins = codesUpTo(count, table.rows);
      for (let r = 0; r < bins.length; r++) bins[r] = cells[r] < 0 ? count : cells[r];
      return { bins, count, ordered: column.kind !== "categorical" };
    }
    const edges = edgesOf(Float64Array.from(rows, (r) => cells[r]));
    const count = edges.length + 1;
    const bins = codesUpTo(count, table.rows);
    for (let r = 0; r < bins.length; r++) bins[r] = isMissingCell(cells, r) ? count : binOf(edges, cells[r]);
    return { bins, count, edges, ordered: true };
  });
}

/** Room for the codes 0 to `most` of so many rows. */
function codesUpTo(most: number, rows: number): BinCodes {
  return most < 2 ** 16 ? new Uint16Array(rows) : new Uint32Array(rows);
}

function edgesOf(numbers: Float64Array): Float64Array {
  const sorted = numbers.filter((x) => !Number.isNaN(x)).sort();
  const values: number[] = [];
  const counts: number[] = [];
  for (const x of sorted) {
    if (x === values[values.length - 1]) counts[counts.length - 1]++;
    else {
      values.push(x);
      counts.push(1);
    }
  }
  if (values.length === 0) return new Float64Array(0);
  return quantileBins(Float64Array.from(values), Float64Array.from(counts), MOST_BINS).edges;
}
