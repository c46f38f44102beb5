import { addOuter, centralMoments, noMoments } from "../../gaussian/moments.ts";

/** A column of which the ones before it leave less than this share of its variance follows from them. */
const DEPENDENT = 1e-9;
/** Fewer rows than this that have two columns in common may agree by chance. */
const FEW_IN_COMMON = 10;

/**
 * Columns that are constant or follow from the ones before them, so that only a ridge keeps their covariance regular. Rows
 * with gaps would blur what the complete ones show, so these alone are asked; where there are hardly more of them than
 * columns, pairs of columns are, on the rows that have both: copies are found, sums of several columns not.
 *
 * @param cells rows × n about the means of the columns, NaN for a gap
 * @param weights per row, positive
 * @param variance of each column, over the rows that have it
 */
export function singularColumns(
  cells: Float64Array,
  weights: Float64Array,
  variance: Float64Array,
): number[] {
  const n = variance.length;
  const complete = Array.from(weights.keys()).filter(
    (r) => !cells.subarray(r * n, (r + 1) * n).some(Number.isNaN),
  );
  if (complete.length < weights.length && complete.length <= n + 1) return copies(cells, weights, variance);
  const covariance = covarianceOf(cells, weights, complete, n);
  return followers(covariance, variance);
}

/** By a Cholesky factor that leaves the columns out that follow, as it goes. */
function followers(covariance: Float64Array, variance: Float64Array): number[] {
  const n = variance.length;
  const lower = new Float64Array(n * n);
  const found: number[] = [];
  for (let i = 0; i < n; i++) {
    const own = covariance[i * n + i];
    let left = own;
    for (let j = 0; j < i; j++) {
      let sum = covariance[i * n + j];
      for (let c = 0; c < j; c++) sum -= lower[i * n + c] * lower[j * n + c];
      lower[i * n + j] = lower[j * n + j] > 0 ? sum / lower[j * n + j] : 0;
      left -= lower[i * n + j] ** 2;
    }
    lower[i * n + i] = left > DEPENDENT * own ? Math.sqrt(left) : 0;
    // A column may be constant on the complete rows alone, which says nothing.
    if (own > 0 ? lower[i * n + i] === 0 : variance[i] === 0) found.push(i);
  }
  return found;
}

/** Constant columns and those that are an earlier one, stretched and shifted, on all rows that have both. */
function copies(cells: Float64Array, weights: Float64Array, variance: Float64Array): number[] {
  const n = variance.length;
  const isCopy = (i: number, j: number): boolean => {
    // Most pairs are refuted by a few rows; a column that is constant on these is not.
    const few = commonRows(cells, n, [i, j], FEW_IN_COMMON);
    if (few.length < FEW_IN_COMMON || shareLeft(cells, weights, few, [i, j], n) > DEPENDENT) return false;
    return shareLeft(cells, weights, commonRows(cells, n, [i, j]), [i, j], n) <= DEPENDENT;
  };
  return Array.from(variance.keys()).filter(
    (i) => variance[i] === 0 || Array.from({ length: i }, (_, j) => j).some((j) => isCopy(i, j)),
  );
}

/** The first rows that have both columns. */
function commonRows(
  cells: Float64Array,
  n: number,
  [i, j]: readonly [number, number],
  most: number = Number.POSITIVE_INFINITY,
): number[] {
  const rows: number[] = [];
  for (let r = 0; r * n < cells.length && rows.length < most; r++)
    if (!Number.isNaN(cells[r * n + i] + cells[r * n + j])) rows.push(r);
  return rows;
}

/** The share of its variance that one of two columns leaves the other, 1 − ρ²; NaN where either is constant. */
function shareLeft(
  cells: Float64Array,
  weights: Float64Array,
  rows: readonly number[],
  [i, j]: readonly [number, number],
  n: number,
): number {
  const pair = Float64Array.from(rows.flatMap((r) => [cells[r * n + i], cells[r * n + j]]));
  const own = Float64Array.from(rows, (r) => weights[r]);
  const [ii, ij, , jj] = covarianceOf(pair, own, Array.from(rows.keys()), 2);
  return 1 - (ij / ii) * (ij / jj);
}

function covarianceOf(
  cells: Float64Array,
  weights: Float64Array,
  rows: readonly number[],
  n: number,
): Float64Array {
  const { sum, product } = noMoments(n);
  let weight = 0;
  for (const r of rows) {
    addOuter(sum, product, cells.subarray(r * n, (r + 1) * n), weights[r]);
    weight += weights[r];
  }
  return centralMoments({ weight, sum, product }, new Float64Array(n)).covariance;
}
