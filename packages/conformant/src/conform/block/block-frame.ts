import { type Block, blockCells } from "../../gaussian/block.ts";
import { addOuter, centralMoments, noMoments } from "../../gaussian/moments.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";
import { ledoitWolf } from "./ledoit-wolf.ts";
import { singularColumns } from "./singular-columns.ts";

/** A block with the moments of all rows: where sums over rows have their origin, and what components are shrunk towards. */
export interface BlockFrame {
  readonly block: Block;
  /** The means of the columns, n numbers. */
  readonly origin: Float64Array;
  /** The covariance of the rows about them, n × n. */
  readonly covariance: Float64Array;
  /** The scale on which a ridge is added, n numbers: the variances; for a constant column its square, or 1. */
  readonly scale: Float64Array;
  /** So many rows of independent columns beside those there are make the best estimate of the covariance (Ledoit and Wolf). */
  readonly independent: number;
  /** Positions in the block of the columns that are constant or follow from the ones before them. */
  readonly singular: readonly number[];
  /** Where rows are judged by the probability of their values as recorded, not by a density: the size of the cells. */
  readonly resolution?: Float64Array;
}

/** Of the correlations, where rows tell nothing about them: the prior stays finite. */
const MOST_SHRUNK = 0.99;

/**
 * The moments of the rows. A gap counts as the column's mean and the variance it hides is put back on the diagonal, so that
 * the covariance stays one whatever is missing.
 */
export function frameOf(block: Block, { table, rows, weights }: WeightedRows): BlockFrame {
  const n = block.columns.length;
  const weighty = rows.filter((r) => weights[r] > 0);
  const own = Float64Array.from(weighty, (r) => weights[r]);
  const cells = blockCells(block, table, weighty);
  const { origin, variance } = columnMoments(cells, own, n);
  const centred = cells.map((x, at) => x - origin[at % n]);
  const moments = noMoments(n);
  let total = 0;
  for (let r = 0; r < own.length; r++) {
    const row = centred.subarray(r * n, (r + 1) * n).map((x) => (Number.isNaN(x) ? 0 : x));
    addOuter(moments.sum, moments.product, row, own[r]);
    total += own[r];
  }
  const { covariance } = centralMoments({ ...moments, weight: total }, origin);
  for (let i = 0; i < n; i++) covariance[i * n + i] = variance[i];
  const shrunk = Math.min(MOST_SHRUNK, ledoitWolf(centred, own, covariance));
  return {
    block,
    origin,
    covariance,
    scale: variance.map((v, i) => v || origin[i] ** 2 || 1),
    independent: (total * shrunk) / (1 - shrunk),
    singular: singularColumns(centred, own, variance),
  };
}

/**
 * Mean and variance of each column over the rows that have it. Where one row outweighs all others the steps can round to a variance
 * below 0: nothing is left of it, as in a constant column.
 */
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
      if (Number.isNaN(x)) continue;
      total[i] += weights[r];
      const step = x - origin[i];
      origin[i] += (weights[r] / total[i]) * step;
      variance[i] += weights[r] * step * (x - origin[i]);
    }
  }
  return { origin, variance: variance.map((v, i) => (total[i] > 0 ? Math.max(0, v / total[i]) : 0)) };
}
