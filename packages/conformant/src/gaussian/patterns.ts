import type { Context } from "../kernels/context.ts";
import type { Kernels } from "../kernels/kernels.ts";
import { triangle } from "../math/cholesky.ts";
import { HALF_LOG_TWO_PI } from "../math/normal.ts";
import type { Gaussian, GaussianColumns, Pattern } from "./gaussian.ts";

/**
 * All factors of a mixture made ready for rows with one pattern of gaps. With Σ_oo = L Lᵀ, r = y_o − μ_o and
 * v_k = Σ_oo⁻¹ Σ_oh w_k,h a row costs the square of L⁻¹ r, and v_k·r. So that r need not be made for every component, both are
 * taken of x = y_o − origin, and what the mean has to do with it is in the constants c and d.
 */
export interface KnownPattern extends Pattern {
  /** −log |L| − ½ o log 2π, M numbers. */
  readonly constants: Float64Array;
  /**
   * Per component c = L⁻¹ (origin − μ_o), then L⁻¹ row by row, then for each tilted class d, which is what the hidden cells are worth at
   * the origin, w_k,h·E[x_h | origin] + ½ w_k,hᵀ Σ_h|o w_k,h, and v_k = L⁻ᵀ L⁻¹ (Σ w_k)_o − w_k,o: o + o (o + 1) / 2 + T (1 + o) numbers.
   */
  readonly numbers: Float64Array;
  /** The classes for which a hidden cell counts; v of the others is 0. */
  readonly tilted: Int32Array;
  /** Where the Gaussian's columns are measured from, n numbers. */
  readonly origin: Float64Array;
}

/** A mixture's factors, laid out to be made ready for patterns. */
export interface LaidOut {
  readonly gaussianColumns: GaussianColumns;
  /** The weighted classes, whose tilts stand in the fours. */
  readonly classes: Int32Array;
  readonly fours: readonly FourFactors[];
  /** The middle of the components' means. */
  readonly origin: Float64Array;
  readonly M: number;
}

/** Where rows stand and where their scores go. */
export interface ScoreRows {
  /** Block cells, n per row. */
  readonly cells: Float64Array;
  readonly n: number;
  /** log N(y_o; μ_o, Σ_oo), rows × M, added to. */
  readonly density: Float64Array;
  /** w_k,h·E[x_h | y_o] + ½ w_k,hᵀ Σ_h|o w_k,h, rows × (M·K), added to. */
  readonly shift: Float64Array;
}

/** Where rows of a Gaussian are scored. */
export interface ScoringContext extends Context {
  /** A faster way to score rows that have their pattern in common with no other row; without it they are scored one by one. */
  readonly scoreApart?: (
    laidOut: LaidOut,
    rows: readonly number[],
    where: ScoreRows,
    context: Context,
  ) => void;
}

/** Numbers that a kernel works on to condition four components on a row of n cells, with so many tilts. */
export function workFor(n: number, tilts: number): number {
  return 4 * n * (n + 3 + tilts);
}

/** Numbers that a kernel makes of four components and a row, with so many tilts. */
export function sumsFor(tilts: number): number {
  return 4 * (3 + 2 * tilts);
}

/** −log |L| − ½ o log 2π of a row, from what a kernel makes of it. */
export function logScale(sums: Float64Array, at: number, o: number): number {
  return Math.log(sums[at]) + sums[at + 4] * Math.LN2 - o * HALF_LOG_TWO_PI;
}

/** Prepares a pattern: a row that stands at the origin is conditioned on, four components at a time, and what that leaves is kept. */
export function prepare(laidOut: LaidOut, pattern: Pattern, context: Context): KnownPattern {
  const { gaussianColumns, classes, origin, M } = laidOut;
  const [n, o, T] = [origin.length, pattern.known.length, classes.length];
  const tilted = classes.filter((k) => isTilted(gaussianColumns, pattern, k));
  const numbers = new Float64Array(M * (o + triangle(o) + tilted.length * (1 + o)));
  const ready: KnownPattern = { ...pattern, tilted, numbers, constants: new Float64Array(M), origin };
  const room = laneRow(n, n + T) + 6 * n + workFor(n, T) + sumsFor(T) + 24;
  context.use(room, (kernels) => conditionAtOrigin(kernels, laidOut, ready));
  return ready;
}

function conditionAtOrigin(kernels: Kernels, laidOut: LaidOut, ready: KnownPattern): void {
  const { classes, fours, origin } = laidOut;
  const { known } = ready;
  const [n, T] = [origin.length, classes.length];
  const [columns, counts] = [kernels.integers(n), kernels.integers(1).fill(known.length)];
  columns.set(known);
  const roots = kernels.numbers(8).fill(1, 0, 4).fill(0, 4);
  const [matrix, mean] = [kernels.numbers(laneRow(n, n + T)), kernels.numbers(4 * n)];
  const cells = kernels.hold(origin);
  const [work, sums] = [kernels.numbers(workFor(n, T)), kernels.numbers(sumsFor(T))];
  fours.forEach((four, f) => {
    matrix.set(four.matrix);
    mean.set(four.mean);
    const whole = { n, tilts: T, depth: 0, matrix, gain: matrix, roots, mean };
    kernels.conditionRows(whole, cells, columns, counts, 0, 1, work, sums);
    for (let lane = 0; lane < four.lanes; lane++) keep(laidOut, ready, four, 4 * f, lane, work, sums);
  });
}

/** Keeps what a row at the origin leaves of one component: every fourth number. */
function keep(
  { gaussianColumns, classes, origin, M }: LaidOut,
  { known, tilted, numbers, constants }: KnownPattern,
  { factors }: FourFactors,
  m: number,
  lane: number,
  work: Float64Array,
  sums: Float64Array,
): void {
  const [n, o] = [origin.length, known.length];
  const centre = (m + lane) * (numbers.length / M);
  const inverse = centre + o;
  let to = inverse;
  constants[m + lane] = logScale(sums, lane, o);
  for (let i = 0; i < o; i++) {
    numbers[centre + i] = work[4 * (o * o + i) + lane];
    for (let j = 0; j <= i; j++) numbers[to++] = work[4 * (i * o + j) + lane];
  }
  invertLower(numbers, inverse, o);
  for (const k of tilted) {
    const t = classes.indexOf(k);
    const g = 4 * (1 + t + o) * o + lane;
    const weights = gaussianColumns.weights.subarray(k * n, (k + 1) * n);
    numbers[to++] =
      factors[lane].logZ[k] -
      sums[12 + 8 * t + lane] / 2 +
      sums[16 + 8 * t + lane] -
      knownScore(weights, origin, known);
    for (let j = 0; j < o; j++) {
      let v = -weights[known[j]];
      for (let i = j; i < o; i++) v += numbers[inverse + triangle(i) + j] * work[g + 4 * i];
      numbers[to++] = v;
    }
  }
}

/** w·x over the known columns. */
function knownScore(weights: Float64Array, x: Float64Array, known: Int32Array): number {
  return known.reduce((sum, i) => sum + weights[i] * x[i], 0);
}

/** Replaces a lower triangle, stored row by row with inverses on its diagonal, by its inverse. */
function invertLower(l: Float64Array, at: number, o: number): void {
  for (let i = 0; i < o; i++) {
    const row = at + triangle(i);
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let k = j; k < i; k++) sum -= l[row + k] * l[at + triangle(k) + j];
      l[row + j] = sum * l[row + i];
    }
  }
}

/** Four components side by side, so that one pass over a pattern serves all of them: every number stands in lanes of four. */
export interface FourFactors {
  readonly factors: readonly Gaussian[];
  /** How many of the four are there; the last of all stands in for the others. */
  readonly lanes: number;
  /** μ, n × 4. */
  readonly mean: Float64Array;
  /** The lower triangle of Σ row by row, then (Σ w_k)ᵀ for each weighted class: rows of {@link laneRow}. */
  readonly matrix: Float64Array;
}

/** Where row i starts in a matrix of lanes over n columns: rows below n are those of a lower triangle, later ones have n numbers. */
export function laneRow(n: number, i: number): number {
  return i < n ? 4 * triangle(i) : 4 * (triangle(n) + (i - n) * n);
}

/** All factors of a mixture, four by four. */
export function inFours(factors: readonly Gaussian[], classes: Int32Array): FourFactors[] {
  const last = factors.length - 1;
  return Array.from({ length: Math.ceil(factors.length / 4) }, (_, f) => {
    const four = [0, 1, 2, 3].map((lane) => factors[Math.min(4 * f + lane, last)]);
    return interleave(four, Math.min(4, factors.length - 4 * f), classes);
  });
}

function interleave(factors: readonly Gaussian[], lanes: number, classes: Int32Array): FourFactors {
  const n = factors[0].mean.length;
  const mean = new Float64Array(4 * n);
  const matrix = new Float64Array(laneRow(n, n + classes.length));
  factors.forEach((factor, lane) => {
    for (let i = 0; i < n; i++) {
      mean[4 * i + lane] = factor.mean[i];
      for (let j = 0; j <= i; j++) matrix[laneRow(n, i) + 4 * j + lane] = factor.covariance[i * n + j];
      for (let t = 0; t < classes.length; t++)
        matrix[laneRow(n, n + t) + 4 * i + lane] = factor.tilts[classes[t] * n + i];
    }
  });
  return { factors, lanes, mean, matrix };
}

/** The classes to which the Gaussian matters: those with a weight that is not 0. */
export function weightedClasses({ weights, K, columns }: GaussianColumns): Int32Array {
  const n = columns.length;
  const classes = Array.from({ length: K }, (_, k) => k);
  return Int32Array.from(classes.filter((k) => weights.subarray(k * n, (k + 1) * n).some((w) => w !== 0)));
}

/** Whether a hidden cell counts for class k. */
export function isTilted({ weights, columns }: GaussianColumns, { hidden }: Pattern, k: number): boolean {
  const start = k * columns.length;
  for (let a = 0; a < hidden.length; a++) if (weights[start + hidden[a]] !== 0) return true;
  return false;
}
