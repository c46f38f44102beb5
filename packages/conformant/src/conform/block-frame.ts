import { type Block, blockCells } from "../gaussian/block.ts";
import { addOuter, centralMoments, noMoments } from "../gaussian/moments.ts";
import type { Table } from "../schema/data.ts";

/** A block with the moments of all rows: where sums over rows have their origin, and what components are shrunk towards. */
export interface BlockFrame {
  readonly block: Block;
  /** The means of the columns, n numbers. */
  readonly origin: Float64Array;
  /** The covariance of the rows about them, n × n. */
  readonly covariance: Float64Array;
  /** The scale on which a ridge is added, n numbers: the variances; for a constant column its square, or 1. */
  readonly scale: Float64Array;
  /** Where rows are judged by the probability of their values as recorded, not by a density: the size of the cells. */
  readonly resolution?: Float64Array;
}

/**
 * The moments of the rows. A gap counts as the column's mean and the variance it hides is put back on the diagonal, so that
 * the covariance stays one whatever is missing.
 */
export function frameOf(block: Block, table: Table, rows: Int32Array, weights: Float64Array): BlockFrame {
  const n = block.columns.length;
  const cells = blockCells(block, table, rows);
  const own = Float64Array.from(rows, (r) => weights[r]);
  const { origin, variance } = columnMoments(cells, own, n);
  const moments = noMoments(n);
  const x = new Float64Array(n);
  let total = 0;
  for (let r = 0; r < own.length; r++) {
    for (let i = 0; i < n; i++) {
      const cell = cells[r * n + i];
      x[i] = Number.isNaN(cell) ? 0 : cell - origin[i];
    }
    addOuter(moments.sum, moments.product, x, own[r]);
    total += own[r];
  }
  const { covariance } = centralMoments({ ...moments, weight: total }, origin);
  for (let i = 0; i < n; i++) covariance[i * n + i] = variance[i];
  return { block, origin, covariance, scale: variance.map((v, i) => v || origin[i] ** 2 || 1) };
}

/** Mean and variance of each column over the rows that have it. */
function columnMoments(
  cells: Float64Array,
  weights: Float64Array,
  n: number,
): { origin: Float64Array; variance: Float64Array } {
  const total = new Float64Array(n);
  const origin = new Float64Array(n);
  const variance = new Float64Array(n);
  for (let r = 0; r < weights.length; r++) {
    for (let i = 0; i < n; i++) {
      const x = cells[r * n + i];
      if (Number.isNaN(x) || weights[r] === 0) continue;
      total[i] += weights[r];
      const step = x - origin[i];
      origin[i] += (weights[r] / total[i]) * step;
      variance[i] += weights[r] * step * (x - origin[i]);
    }
  }
  return { origin, variance: variance.map((v, i) => (total[i] > 0 ? v / total[i] : 0)) };
}
