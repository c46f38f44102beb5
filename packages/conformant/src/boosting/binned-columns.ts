import { type BinCodes, type FitKernels, PER_BIN } from "../kernels/kernels.ts";
import { binOf } from "../math/search.ts";
import { offsets } from "../math/vectors.ts";
import { isDiscrete, valueCount } from "../schema/column.ts";
import { isMissingCell, type Table } from "../schema/data.ts";
import { quantileBins } from "../schema/quantile-bins.ts";

/** Bins of a number at most; one more is for missing values. */
const MOST_BINS = 255;

/** The values of a column in bins. */
export interface Bins {
  /** How many bins there are besides the one of missing values, which is the last. */
  readonly count: number;
  /** Numbers: bin j holds the values in [edges[j − 1], edges[j]). */
  readonly edges?: Float64Array;
  /** Whether the bins have an order: those of numbers and bits have one, categories have none. */
  readonly ordered: boolean;
}

/** A column with the bin of each row. */
export interface BinnedColumn extends Bins {
  readonly bins: BinCodes;
  /** Where its bins start in a histogram over all columns. */
  readonly first: number;
}

/** How the columns of a table are binned: numbers by quantiles of the given rows, everything else by its values. */
export function chooseBins({ schema, columns }: Table, rows: Int32Array): Bins[] {
  return schema.columns.map((column, i) => {
    if (isDiscrete(column)) return { count: valueCount(column), ordered: column.kind !== "categorical" };
    const edges = edgesOf(columns[i], rows);
    return { count: edges.length + 1, edges, ordered: true };
  });
}

/** Finds the bin of every row where the kernels find it. */
export function binRows(table: Table, all: readonly Bins[], kernels: FitKernels): BinnedColumn[] {
  const firsts = offsets(all.map(({ count }) => count + 1));
  return all.map((own, i) => {
    const { count, edges } = own;
    const cells = table.columns[i];
    const bins = fitsBytes(own) ? kernels.bytes(table.rows) : kernels.integers(table.rows);
    if (edges)
      for (let r = 0; r < bins.length; r++)
        bins[r] = isMissingCell(cells, r) ? count : binOf(edges, cells[r]);
    else for (let r = 0; r < bins.length; r++) bins[r] = cells[r] < 0 ? count : cells[r];
    return { ...own, bins, first: firsts[i] };
  });
}

/** Numbers of a histogram over all columns. */
export function histogramSize(columns: readonly Bins[]): number {
  return columns.reduce((sum, { count }) => sum + PER_BIN * (count + 1), 0);
}

/** Numbers that the bins of so many rows take in the kernels. */
export function roomOfBins(columns: readonly Bins[], rows: number): number {
  return columns.reduce((sum, own) => sum + Math.ceil(rows / (fitsBytes(own) ? 8 : 2)) + 2, 0);
}

/** Whether a byte holds the number of every bin. */
function fitsBytes({ count }: Bins): boolean {
  return count < 2 ** 8;
}

/** The edges between bins of about equal weight. */
function edgesOf(cells: ArrayLike<number>, rows: Int32Array): Float64Array {
  const known = new Float64Array(rows.length);
  let count = 0;
  for (let j = 0; j < rows.length; j++) {
    const x = cells[rows[j]];
    if (!Number.isNaN(x)) known[count++] = x;
  }
  if (count === 0) return new Float64Array(0);
  const sorted = known.subarray(0, count).sort();
  const weights = new Float64Array(count);
  let distinct = 0;
  for (let j = 0; j < count; j++) {
    if (j === 0 || sorted[j] !== sorted[distinct - 1]) sorted[distinct++] = sorted[j];
    weights[distinct - 1]++;
  }
  return quantileBins(sorted.subarray(0, distinct), weights.subarray(0, distinct), MOST_BINS).edges;
}
