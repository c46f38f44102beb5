import { dot } from "../math/vectors.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { slotOffsets } from "../schema/column.ts";
import type { EncodedColumn, Table } from "../schema/data.ts";

/** The numeric columns whose joint distribution inside a component is a Gaussian, as the classifier sees them. */
export interface GaussianColumns {
  /** Positions in the schema, ascending; n of them. */
  readonly columns: Int32Array;
  /** w_ki, K × n: `weights[k * n + i]`. */
  readonly weights: Float64Array;
  readonly K: number;
}

/** The Gaussian of the given columns, or undefined where there are none. */
export function createGaussianColumns(
  tilt: ClassTilt,
  columns: ArrayLike<number>,
): GaussianColumns | undefined {
  if (columns.length === 0) return undefined;
  const K = tilt.intercept.length;
  const n = columns.length;
  const slots = slotOffsets(tilt.schema);
  const weights = new Float64Array(K * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < K; k++) weights[k * n + i] = tilt.weights[slots[columns[i]] * K + k];
  }
  return { columns: Int32Array.from(columns), weights, K };
}

/** Rows that are laid out together, so that what is written stays in the processor's cache. */
const TOGETHER = 128;

/**
 * The Gaussian's cells of the given rows of a table, rows × n with NaN for a gap.
 *
 * @param cells where they go
 */
export function gaussianCells(
  { columns }: GaussianColumns,
  table: Table,
  rows: ArrayLike<number>,
  cells: Float64Array = new Float64Array(rows.length * columns.length),
): Float64Array {
  const n = columns.length;
  for (let start = 0; start < rows.length; start += TOGETHER) {
    const end = Math.min(start + TOGETHER, rows.length);
    for (let i = 0; i < n; i++) copyCells(table.columns[columns[i]], rows, start, end, cells, n, i);
  }
  return cells;
}

function copyCells(
  from: EncodedColumn,
  rows: ArrayLike<number>,
  start: number,
  end: number,
  cells: Float64Array,
  n: number,
  i: number,
): void {
  for (let r = start; r < end; r++) cells[r * n + i] = from[rows[r]];
}

/** Positions in the Gaussian of the known and of the hidden cells of one row, both ascending. */
export interface Pattern {
  readonly known: Int32Array;
  readonly hidden: Int32Array;
}

/**
 * log Π_i P( |x_i − y_i| ≤ ½ size_i | y_1 … y_{i−1} ) over the known cells of the row that starts at `start`: the mass of the cell that it was
 * recorded in, one column after the other. As the cells shrink it becomes the density times their size.
 *
 * @param sizes of the cells, n numbers
 */
export type CellMass = (cells: Float64Array, start: number, sizes: Float64Array) => number;

/** What is known in the row of n cells that starts at `start`. */
export function patternOf(cells: Float64Array, start: number, n: number): Pattern {
  let o = 0;
  for (let i = 0; i < n; i++) if (!Number.isNaN(cells[start + i])) o++;
  const [known, hidden] = [new Int32Array(o), new Int32Array(n - o)];
  for (let i = 0, a = 0; i < n; i++) {
    if (Number.isNaN(cells[start + i])) hidden[i - a] = i;
    else known[a++] = i;
  }
  return { known, hidden };
}

/** The same text for rows in which the same cells are hidden: one bit per cell. */
export function patternKey(cells: Float64Array, start: number, n: number): string {
  let key = "";
  for (let from = 0; from < n; from += 16) {
    let bits = 0;
    const end = Math.min(from + 16, n);
    for (let i = from; i < end; i++) bits = 2 * bits + (Number.isNaN(cells[start + i]) ? 1 : 0);
    key += String.fromCharCode(bits);
  }
  return key;
}

/**
 * The Gaussian factor of a component, q(x) = N(x; μ, Σ) over the Gaussian. Given the class the Gaussian is again normal,
 * P(x | k) = N(μ + Σ w_k, Σ), as in linear discriminant analysis.
 */
export interface Gaussian {
  /** μ, n numbers. */
  readonly mean: Float64Array;
  /** Σ, n × n, symmetric and positive definite. */
  readonly covariance: Float64Array;
  /** log Z_k = log ∫ q(x) e^{w_k·x} dx = w_k·μ + ½ w_kᵀ Σ w_k: what the Gaussian is worth to class k when all of it is missing. */
  readonly logZ: Float64Array;
  /** Σ w_k, K × n: how class k moves the mean. */
  readonly tilts: Float64Array;
  /** Σ in fewer numbers, where it is of low rank plus diagonal. */
  readonly lowRank?: LowRank;
}

/**
 * A covariance of low rank plus diagonal, Σ = Ψ + Λ J Λᵀ, as in factor analysis. J is diagonal with signs: the shift of the class means by Σ w
 * takes variance away along as many directions as there are classes.
 */
export interface LowRank {
  /** The diagonal of Ψ, n positive numbers. */
  readonly diagonal: Float64Array;
  /** Λ, n × r. */
  readonly loadings: Float64Array;
  /** The diagonal of J, r numbers: 1 first, −1 after them. */
  readonly signs: Float64Array;
}

/**
 * Completes a factor from its mean and the lower triangle of its covariance: rounding may have made the upper one another.
 *
 * @param lowRank the same covariance as one of low rank plus diagonal, where it is one
 */
export function createGaussian(
  gaussianColumns: GaussianColumns,
  mean: Float64Array,
  lower: Float64Array,
  lowRank?: LowRank,
): Gaussian {
  const { weights, K } = gaussianColumns;
  const n = mean.length;
  const covariance = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) covariance[i * n + j] = covariance[j * n + i] = lower[i * n + j];
  const tilts = new Float64Array(K * n);
  const logZ = Float64Array.from({ length: K }, (_, k) => {
    const w = weights.subarray(k * n, (k + 1) * n);
    for (let i = 0; i < n; i++) tilts[k * n + i] = dot(covariance.subarray(i * n, (i + 1) * n), w);
    return dot(w, mean) + dot(w, tilts.subarray(k * n, (k + 1) * n)) / 2;
  });
  return { mean, covariance, logZ, tilts, ...(lowRank && { lowRank }) };
}

/** aᵀ M b for an n × n row-major matrix. */
export function quadratic(matrix: Float64Array, a: Float64Array, b: Float64Array): number {
  const n = a.length;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (a[i] === 0) continue;
    let row = 0;
    for (let j = 0; j < n; j++) row += matrix[i * n + j] * b[j];
    sum += a[i] * row;
  }
  return sum;
}
