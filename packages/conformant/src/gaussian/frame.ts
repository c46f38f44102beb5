import type { WeightedRows } from "../schema/rows.ts";
import { analyzeFactors, type Factors } from "./fit-low-rank.ts";
import { type GaussianColumns, gaussianCells } from "./gaussian.ts";
import { centralMoments, OuterSums } from "./moments.ts";

/** A Gaussian with the moments of all rows: where sums over rows have their origin, and what components are shrunk towards. */
export interface GaussianFrame {
  readonly gaussianColumns: GaussianColumns;
  /** The means of the columns, n numbers. */
  readonly origin: Float64Array;
  /** The covariance of the rows about them, n × n. */
  readonly covariance: Float64Array;
  /** The scale on which a ridge is added, n numbers: the variances; for a constant column its square, or 1. */
  readonly scale: Float64Array;
  /** So many rows of independent columns beside those there are make the best estimate of the covariance (Ledoit and Wolf). */
  readonly independent: number;
  /** Positions in the Gaussian of the columns that are constant or follow from the ones before them. */
  readonly singular: readonly number[];
  /** Where rows are scored by the probability of their values as recorded, not by a density: the size of the cells. */
  readonly resolution?: Float64Array;
  /** Where covariances are of low rank plus diagonal: their rank, and the factors of the rows' covariance. */
  readonly rank?: number;
  readonly factors?: Factors;
}

/** Of the correlations, where rows tell nothing about them: the prior stays finite. */
const MOST_SHRUNK = 0.99;

/**
 * The moments of the rows. A gap counts as the column's mean and the variance it hides is put back on the diagonal, so that
 * the covariance stays one whatever is missing.
 */
export function frameOf(
  gaussianColumns: GaussianColumns,
  { table, rows, weights }: WeightedRows,
  rank?: number,
): GaussianFrame {
  const n = gaussianColumns.columns.length;
  const weighty = rows.filter((r) => weights[r] > 0);
  const own = Float64Array.from(weighty, (r) => weights[r]);
  const cells = gaussianCells(gaussianColumns, table, weighty);
  const { origin, variance } = columnMoments(cells, own, n);
  const centred = cells.map((x, at) => x - origin[at % n]);
  const sums = new OuterSums(n);
  let total = 0;
  for (let r = 0; r < own.length; r++) {
    sums.add(
      centred.subarray(r * n, (r + 1) * n).map((x) => (Number.isNaN(x) ? 0 : x)),
      own[r],
    );
    total += own[r];
  }
  const { covariance } = centralMoments(sums.moments(total), origin);
  const ofComplete = centred.some(Number.isNaN) ? undefined : covariance.slice();
  for (let i = 0; i < n; i++) covariance[i * n + i] = variance[i];
  const shrunk = Math.min(MOST_SHRUNK, ledoitWolf(centred, own, covariance));
  return {
    gaussianColumns,
    origin,
    covariance,
    scale: variance.map((v, i) => v || origin[i] ** 2 || 1),
    independent: (total * shrunk) / (1 - shrunk),
    singular: singularColumns(centred, own, variance, ofComplete),
    ...(rank !== undefined && { rank, factors: analyzeFactors(regular(covariance), n, rank) }),
  };
}

/** A covariance of which constant columns have a variance, too. */
function regular(covariance: Float64Array): Float64Array {
  const n = Math.sqrt(covariance.length);
  return covariance.map((x, at) => (at % (n + 1) === 0 ? x || 1 : x));
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

/**
 * How far the correlations of few rows are to be shrunk towards none (Ledoit and Wolf 2004): the share λ of the estimate that
 * the identity gets, which makes the expected squared error least. For columns z of mean 0 and variance 1 over N rows,
 *
 *     λ = ( Σ_r ‖z_r‖⁴ / N − ‖S‖² ) / N / ‖S − I‖²        S = Σ_r z_r z_rᵀ / N,  at most 1
 *
 * in the norm of Frobenius. N is the total weight, so that a row of weight 2 is two rows and a row cut into parts of its weight is one.
 * A column that does not vary takes no part; columns without any correlation have nothing to shrink.
 *
 * @param centred the rows about their mean, rows × n; NaN counts as the mean
 * @param weights per row
 * @param covariance S before the columns are scaled, n × n
 */
export function ledoitWolf(centred: Float64Array, weights: Float64Array, covariance: Float64Array): number {
  const n = Math.round(Math.sqrt(covariance.length));
  const deviation = Float64Array.from({ length: n }, (_, i) => Math.sqrt(covariance[i * n + i]));
  let [total, fourth] = [0, 0];
  for (let r = 0; r < weights.length; r++) {
    let length = 0;
    for (let i = 0; i < n; i++) {
      const x = centred[r * n + i];
      if (deviation[i] > 0 && !Number.isNaN(x)) length += (x / deviation[i]) ** 2;
    }
    fourth += weights[r] * length * length;
    total += weights[r];
  }
  let [norm, away] = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (!(deviation[i] > 0 && deviation[j] > 0)) continue;
      // One after the other: the product of two variances may be beyond what numbers hold.
      const correlation = covariance[i * n + j] / deviation[i] / deviation[j];
      norm += correlation ** 2;
      if (i !== j) away += correlation ** 2;
    }
  }
  const noise = (fourth / total - norm) / total;
  return away > 0 ? Math.min(1, Math.max(0, noise / away)) : 0;
}

/** A column of which the ones before it leave less than this share of its variance follows from them. */
const DEPENDENT = 1e-9;
/** Rows of less weight than this that have two columns in common may agree by chance. */
const FEW_IN_COMMON = 10;

/**
 * Columns that are constant or follow from the ones before them, so that only a ridge keeps their covariance regular. Rows
 * with gaps would blur what the complete ones show, so these alone are asked; where there are hardly more of them than
 * columns, pairs of columns are, on the rows that have both: copies are found, sums of several columns not.
 *
 * @param cells rows × n about the means of the columns, NaN for a gap
 * @param weights per row, positive
 * @param variance of each column, over the rows that have it
 * @param known the covariance of the rows, where none of them has a gap
 */
export function singularColumns(
  cells: Float64Array,
  weights: Float64Array,
  variance: Float64Array,
  known?: Float64Array,
): number[] {
  const n = variance.length;
  if (known) return followers(known, variance);
  const complete = Array.from(weights.keys()).filter(
    (r) => !cells.subarray(r * n, (r + 1) * n).some(Number.isNaN),
  );
  const weight = complete.reduce((sum, r) => sum + weights[r], 0);
  if (complete.length < weights.length && weight <= n + 1) return copies(cells, weights, variance);
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
    const few = shareLeft(cells, weights, n, [i, j], FEW_IN_COMMON);
    if (few.weight < FEW_IN_COMMON || few.left > DEPENDENT) return false;
    return shareLeft(cells, weights, n, [i, j], Number.POSITIVE_INFINITY).left <= DEPENDENT;
  };
  return Array.from(variance.keys()).filter(
    (i) => variance[i] === 0 || Array.from({ length: i }, (_, j) => j).some((j) => isCopy(i, j)),
  );
}

/**
 * The share of its variance that one of two columns leaves the other, 1 − ρ², over the first rows that have both, up to a total weight of
 * `most`; NaN where either is constant.
 */
function shareLeft(
  cells: Float64Array,
  weights: Float64Array,
  n: number,
  [i, j]: readonly [number, number],
  most: number,
): { readonly weight: number; readonly left: number } {
  let weight = 0;
  let sumI = 0;
  let sumJ = 0;
  let squareI = 0;
  let squareJ = 0;
  let product = 0;
  for (let r = 0; r < weights.length && weight < most; r++) {
    const x = cells[r * n + i];
    const y = cells[r * n + j];
    const own = weights[r];
    if (Number.isNaN(x + y)) continue;
    weight += own;
    sumI += own * x;
    sumJ += own * y;
    squareI += own * x * x;
    squareJ += own * y * y;
    product += own * x * y;
  }
  const [meanI, meanJ] = [sumI / weight, sumJ / weight];
  const covariance = product / weight - meanI * meanJ;
  const [ii, jj] = [squareI / weight - meanI * meanI, squareJ / weight - meanJ * meanJ];
  return { weight, left: 1 - (covariance / ii) * (covariance / jj) };
}

function covarianceOf(
  cells: Float64Array,
  weights: Float64Array,
  rows: readonly number[],
  n: number,
): Float64Array {
  const sums = new OuterSums(n);
  let weight = 0;
  for (const r of rows) {
    sums.add(cells.subarray(r * n, (r + 1) * n), weights[r]);
    weight += weights[r];
  }
  return centralMoments(sums.moments(weight), new Float64Array(n)).covariance;
}
