import type { Kernels } from "../kernels/kernels.ts";
import { addLogRoots } from "../kernels/lane-sums.ts";
import { openKernels } from "../kernels/open-kernels.ts";
import { triangle } from "../linalg/triangle.ts";
import type { Block, Pattern } from "./block.ts";
import { HALF_LOG_TWO_PI } from "./condition.ts";
import { type FourFactors, isTilted, laneRow } from "./four-factors.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";

/**
 * All factors of a mixture made ready for rows with one pattern of gaps. With Σ_oo = L Lᵀ, r = y_o − μ_o and
 * v_k = Σ_oo⁻¹ Σ_oh w_k,h a row costs the square of L⁻¹ r, and v_k·r. So that r need not be made for every component, both are
 * taken of x = y_o − origin, and what the mean has to do with it is in the constants c and d.
 */
export interface KnownPattern extends Pattern {
  /** −log |L| − ½ o log 2π, M numbers. */
  readonly constants: Float64Array;
  /**
   * Per component c = −L⁻¹ (μ_o − origin), then L⁻¹ row by row, then for each tilted class
   * d = w_k,h·μ_h + ½ w_k,hᵀ Σ_h|o w_k,h − v_k·(μ_o − origin) and v_k: o + o (o + 1) / 2 + T (1 + o) numbers.
   */
  readonly numbers: Float64Array;
  /** The classes for which a hidden cell counts; v of the others is 0. */
  readonly tilted: Int32Array;
  /** Where the block's columns are measured from, n numbers. */
  readonly origin: Float64Array;
}

/** A mixture's factors, laid out to be made ready for patterns. */
export interface LaidOut {
  readonly block: Block;
  /** The weighted classes, whose tilts stand in the fours. */
  readonly classes: Int32Array;
  readonly fours: readonly FourFactors[];
  /** The middle of the components' means. */
  readonly origin: Float64Array;
  readonly M: number;
}

/** Prepares a pattern: one Cholesky factor per component, four at a time. */
export function prepare(laidOut: LaidOut, pattern: Pattern): KnownPattern {
  const { block, classes, fours, origin, M } = laidOut;
  const { known } = pattern;
  const o = known.length;
  const tilted = classes.filter((k) => isTilted(block, pattern, k));
  const numbers = new Float64Array(M * (o + triangle(o) + tilted.length * (1 + o)));
  const ready: KnownPattern = { ...pattern, tilted, numbers, constants: new Float64Array(M), origin };
  const room = 4 * o * (o + tilted.length);
  const matrixRoom = fours.length > 0 ? fours[0].matrix.length : 0;
  const kernels = openKernels(room + matrixRoom + o + 8);
  const columns = kernels.integers(o);
  columns.set(known);
  const [matrix, work] = [kernels.numbers(matrixRoom), kernels.numbers(room)];
  fours.forEach((four, f) => {
    matrix.set(four.matrix);
    fillFour(laidOut, ready, four, 4 * f, kernels, matrix, columns, work);
  });
  return ready;
}

function fillFour(
  { block, classes, origin, M }: LaidOut,
  { known, tilted, numbers, constants }: KnownPattern,
  { factors, lanes }: FourFactors,
  m: number,
  kernels: Kernels,
  matrix: Float64Array,
  columns: Int32Array,
  work: Float64Array,
): void {
  const [n, o] = [origin.length, known.length];
  kernels.factorise(matrix, columns, 0, work);
  const logs = new Float64Array(4);
  addLogRoots(work, o, logs);
  tilted.forEach((k, t) => {
    kernels.solveRow(matrix, laneRow(n, n + classes.indexOf(k)), columns, 0, work, o + t);
  });
  const stride = numbers.length / M;
  for (let lane = 0; lane < lanes; lane++) {
    const centre = (m + lane) * stride;
    constants[m + lane] = -o * HALF_LOG_TWO_PI - logs[lane];
    const inverse = centre + o;
    let to = inverse;
    for (let i = 0; i < o; i++) for (let j = 0; j <= i; j++) numbers[to++] = work[(i * o + j) * 4 + lane];
    invertLower(numbers, inverse, o);
    writeCentre(factors[lane].mean, origin, known, numbers, centre);
    for (let t = 0; t < tilted.length; t++, to += 1 + o) {
      const from = (o + t) * o * 4 + lane;
      writeTilt(block, factors[lane], origin, known, tilted[t], work, from, numbers, inverse, to);
    }
  }
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

/** Writes −L⁻¹ (μ_o − origin) before the inverse. */
function writeCentre(
  mean: Float64Array,
  origin: Float64Array,
  known: Int32Array,
  out: Float64Array,
  at: number,
): void {
  const o = known.length;
  for (let i = 0, entry = at + o; i < o; i++) {
    let sum = 0;
    for (let j = 0; j <= i; j++) sum -= out[entry++] * (mean[known[j]] - origin[known[j]]);
    out[at + i] = sum;
  }
}

/**
 * Writes d and v_k. With g = L⁻¹ (Σ w_k)_o, which is in `work`, every fourth from `from`: v_k = L⁻ᵀ g − w_k,o, and the variance of w_k·x
 * given y_o is that of its hidden part, w_kᵀ Σ w_k − g·g.
 */
function writeTilt(
  { weights }: Block,
  { mean, logZ }: GaussianFactor,
  origin: Float64Array,
  known: Int32Array,
  k: number,
  work: Float64Array,
  from: number,
  out: Float64Array,
  inverse: number,
  to: number,
): void {
  const [n, o] = [mean.length, known.length];
  let value = logZ[k];
  for (let j = 0; j < o; j++) {
    const g = work[from + 4 * j];
    const w = weights[k * n + known[j]];
    let v = -w;
    for (let i = j; i < o; i++) v += out[inverse + triangle(i) + j] * work[from + 4 * i];
    value -= w * mean[known[j]] + (g * g) / 2 + v * (mean[known[j]] - origin[known[j]]);
    out[to + 1 + j] = v;
  }
  out[to] = value;
}
