import { quantileBins } from "../marginals/quantile-bins.ts";
import { binOf } from "../math/bin-of.ts";
import { isDiscrete, valueCount } from "../schema/column.ts";
import { isGapCell, type Table } from "../schema/data.ts";

/** Bins of a number at most; one more is for the gap. */
const MOST_BINS = 255;

/** A column as histograms see it. */
export interface BinnedColumn {
  /** The bin of each row; the last one is the gap. */
  readonly bins: Uint16Array;
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
      const bins = Uint16Array.from({ length: table.rows }, (_, r) => (cells[r] < 0 ? count : cells[r]));
      return { bins, count, ordered: column.kind !== "categorical" };
    }
    const edges = edgesOf(Float64Array.from(rows, (r) => cells[r]));
    const count = edges.length + 1;
    const bins = Uint16Array.from({ length: table.rows }, (_, r) =>
      isGapCell(cells, r) ? count : binOf(edges, cells[r]),
    );
    return { bins, count, edges, ordered: true };
  });
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
