import { choleskyRoot, solveLower, submatrix } from "../math/cholesky.ts";
import { HALF_LOG_TWO_PI, logNormalInterval } from "../math/normal.ts";
import type { Random } from "../math/random.ts";
import { conditionFew, hasFewMissing, type MissingGiven } from "./few-missing.ts";
import type { CellMass, Gaussian, GaussianColumns, Pattern } from "./gaussian.ts";
import { cellMassLowRank, LowRankPattern } from "./low-rank.ts";

/** A Gaussian factor for one pattern of gaps: how the hidden cells follow from the known ones. Σ_oo = L Lᵀ. */
export interface Conditional {
  /** L, o × o, lower. */
  readonly lower: Float64Array;
  /** G = L⁻¹ Σ_oh, o × h. */
  readonly gain: Float64Array;
  /** Σ_h|o = Σ_hh − Gᵀ G, h × h: the hidden cells' covariance, whatever the known ones are and whatever the class. */
  readonly covariance: Float64Array;
  /** Σ_h|o w_k,h, K × h: how the class moves the hidden cells' mean. */
  readonly shift: Float64Array;
  /** log |L| + ½ o log 2π. */
  readonly logScale: number;
}

/** Conditions a factor on a pattern. */
export function condition(
  { weights, K }: GaussianColumns,
  factor: Gaussian,
  { known, hidden }: Pattern,
): Conditional {
  const n = factor.mean.length;
  const [o, h] = [known.length, hidden.length];
  const lower = choleskyRoot(submatrix(factor.covariance, n, known), o);
  const gain = submatrix(factor.covariance, n, known, hidden);
  solveLower(lower, o, gain, h);
  let logScale = o * HALF_LOG_TWO_PI;
  for (let i = 0; i < o; i++) logScale += Math.log(lower[i * o + i]);
  const covariance = submatrix(factor.covariance, n, hidden);
  for (let i = 0; i < o; i++) {
    for (let a = 0; a < h; a++) {
      for (let b = 0; b < h; b++) covariance[a * h + b] -= gain[i * h + a] * gain[i * h + b];
    }
  }
  const shift = new Float64Array(K * h);
  for (let k = 0; k < K; k++) {
    for (let a = 0; a < h; a++) {
      for (let b = 0; b < h; b++) shift[k * h + a] += covariance[a * h + b] * weights[k * n + hidden[b]];
    }
  }
  return { lower, gain, covariance, shift, logScale };
}

/** What a row's known cells say under one factor. */
export interface Conditioned {
  /** log N(y_o; μ_o, Σ_oo). */
  readonly logDensity: number;
  /** E[x_h | y_o] under q, before any class: h numbers. Given class k the mean is this plus `shift` of the class. */
  readonly mean: Float64Array;
}

/** Conditions a factor on a pattern to ask for the missing cells alone: the cheaper way for as many as there are. */
export function conditionMissing(
  gaussianColumns: GaussianColumns,
  factor: Gaussian,
  pattern: Pattern,
): MissingGiven {
  const { mean, lowRank } = factor;
  if (lowRank) return new LowRankPattern(gaussianColumns, { mean, lowRank }, pattern).given();
  const [o, h] = [pattern.known.length, pattern.hidden.length];
  if (hasFewMissing(o + h, h)) return conditionFew(gaussianColumns, factor, pattern);
  const given = condition(gaussianColumns, factor, pattern);
  const z = new Float64Array(o);
  return {
    covariance: given.covariance,
    shift: given.shift,
    meanInto: (cells, start, mean) => void standardize(given, factor, pattern, cells, start, z, mean),
  };
}

/** Applies a conditional to the row of n cells that starts at `start`. */
export function applyConditional(
  given: Conditional,
  factor: Gaussian,
  pattern: Pattern,
  cells: Float64Array,
  start: number,
): Conditioned {
  const [z, mean] = [new Float64Array(pattern.known.length), new Float64Array(pattern.hidden.length)];
  const squares = standardize(given, factor, pattern, cells, start, z, mean);
  return { logDensity: -squares / 2 - given.logScale, mean };
}

/** Writes z = L⁻¹ (y_o − μ_o) and E[x_h | y_o] = μ_h + Gᵀ z; returns z·z. */
function standardize(
  { lower, gain }: Conditional,
  factor: Gaussian,
  { known, hidden }: Pattern,
  cells: Float64Array,
  start: number,
  z: Float64Array,
  mean: Float64Array,
): number {
  const [o, h] = [known.length, hidden.length];
  for (let c = 0; c < h; c++) mean[c] = factor.mean[hidden[c]];
  for (let i = 0; i < o; i++) z[i] = cells[start + known[i]] - factor.mean[known[i]];
  solveLower(lower, o, z);
  let squares = 0;
  for (let i = 0; i < o; i++) {
    squares += z[i] * z[i];
    for (let c = 0; c < h; c++) mean[c] += gain[i * h + c] * z[i];
  }
  return squares;
}

/** The mass of the cells of rows with this pattern. */
export function cellMassOf({ mean, covariance, lowRank }: Gaussian, pattern: Pattern): CellMass {
  if (lowRank) return cellMassLowRank({ mean, lowRank }, pattern);
  const { known } = pattern;
  const o = known.length;
  const lower = choleskyRoot(submatrix(covariance, mean.length, known), o);
  return (cells, start, sizes) => {
    const z = Float64Array.from(known, (i) => cells[start + i] - mean[i]);
    solveLower(lower, o, z);
    let mass = 0;
    for (let i = 0; i < o; i++) mass += logNormalInterval(z[i], sizes[known[i]] / (2 * lower[i * o + i]));
    return mass;
  };
}

/**
 * Hidden numbers that are jointly normal given component and class,
 *
 *     P_m(x_h | y_o, k) = N( μ_mk, Σ_m )
 */
export interface MissingNormals {
  /** Positions of the hidden columns in the schema; h of them, or none. */
  readonly columns: readonly number[];
  /** Number of classes. */
  readonly K: number;
  /** The means, M × K × h: `means[(m * K + k) * h + a]`. */
  readonly means: Float64Array;
  /** Σ_m per component, h × h. */
  readonly covariances: readonly Float64Array[];
}

/** No hidden numbers, of M components. */
export function noNormals(M: number, K: number): MissingNormals {
  const none = new Float64Array(0);
  return { columns: [], K, means: none, covariances: new Array<Float64Array>(M).fill(none) };
}

/** Some of the hidden numbers, the others left out of account. */
export function pickNormals(
  { columns, K, means, covariances }: MissingNormals,
  wanted: (index: number) => boolean,
): MissingNormals {
  const h = columns.length;
  const places = columns.flatMap((index, a) => (wanted(index) ? [a] : []));
  const picked = covariances.map((covariance) => submatrix(covariance, h, places));
  const outcomes = Array.from({ length: covariances.length * K }, (_, outcome) => outcome);
  return {
    columns: places.map((a) => columns[a]),
    K,
    means: Float64Array.from(outcomes.flatMap((outcome) => places.map((a) => means[outcome * h + a]))),
    covariances: picked,
  };
}

/** A hidden number by itself: normal with these means (M × K) and standard deviations (M) given component and class. */
export interface MissingNumber {
  readonly means: Float64Array;
  readonly deviations: Float64Array;
}

/** Hidden number a by itself. */
export function missingNumber({ means, covariances, columns, K }: MissingNormals, a: number): MissingNumber {
  const h = columns.length;
  return {
    means: Float64Array.from({ length: covariances.length * K }, (_, outcome) => means[outcome * h + a]),
    deviations: Float64Array.from(covariances, (c) => Math.sqrt(Math.max(0, c[a * h + a]))),
  };
}

/** A linear function d·x of the hidden numbers, again normal given component and class; 0 where there are none. */
export function missingSum(
  { means, covariances, columns, K }: MissingNormals,
  d: Float64Array,
): MissingNumber {
  const h = columns.length;
  return {
    means: Float64Array.from({ length: covariances.length * K }, (_, outcome) => {
      let sum = 0;
      for (let a = 0; a < h; a++) sum += d[a] * means[outcome * h + a];
      return sum;
    }),
    deviations: Float64Array.from(covariances, (c) => {
      let sum = 0;
      for (let a = 0; a < h; a++) for (let b = 0; b < h; b++) sum += d[a] * d[b] * c[a * h + b];
      return Math.sqrt(Math.max(0, sum));
    }),
  };
}

export { choleskyRoot as rootOf } from "../math/cholesky.ts";

/** Draws the hidden numbers given an outcome (component and class): writes h of them. */
export function missingSampler({
  means,
  covariances,
  columns,
  K,
}: MissingNormals): (outcome: number, g: Random, out: Float64Array) => void {
  const h = columns.length;
  const roots = covariances.map((covariance) => choleskyRoot(covariance, h));
  const z = new Float64Array(h);
  return (outcome, g, out) => {
    const lower = roots[Math.floor(outcome / K)];
    for (let a = 0; a < h; a++) {
      z[a] = g.normal();
      let x = means[outcome * h + a];
      for (let b = 0; b <= a; b++) x += lower[a * h + b] * z[b];
      out[a] = x;
    }
  };
}
