import type { Block, Pattern } from "./block.ts";
import { HALF_LOG_TWO_PI } from "./condition.ts";
import { factoriseFour, solveRow } from "./factorise-four.ts";
import { type FourFactors, isTilted, laneRow } from "./four-factors.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";
import { triangle } from "./moments.ts";

/**
 * All factors of a mixture made ready for rows with one pattern of gaps. Per component, one after the other in `numbers`:
 *
 *     −log |L| − ½ o log 2π                                1
 *     w_k,h·μ_h + ½ w_k,hᵀ Σ_h|o w_k,h                      K
 *     μ_o                                                  o
 *     L⁻¹ of Σ_oo = L Lᵀ                                    o (o + 1) / 2, row by row
 *     v_k = Σ_oo⁻¹ Σ_oh w_k,h                               K × o
 *
 * so that a row costs products with r = y_o − μ_o alone: the square of L⁻¹ r, and v_k·r.
 */
export interface KnownPattern extends Pattern {
  readonly numbers: Float64Array;
  /** How many numbers a component has. */
  readonly stride: number;
  /** The classes for which a hidden cell counts; v of the others is 0. */
  readonly tilted: Int32Array;
}

/** How many numbers a component has for a pattern with o known cells. */
export function strideOf(K: number, o: number): number {
  return 1 + K + o + triangle(o) + K * o;
}

/**
 * Prepares a pattern: one Cholesky factor per component, four at a time.
 *
 * @param classes the weighted ones, whose tilts stand in the fours
 */
export function prepare(
  block: Block,
  classes: Int32Array,
  fours: readonly FourFactors[],
  M: number,
  pattern: Pattern,
): KnownPattern {
  const { known, hidden } = pattern;
  const stride = strideOf(block.K, known.length);
  const numbers = new Float64Array(stride * M);
  const tilted = classes.filter((k) => isTilted(block, pattern, k));
  const work = new Float64Array(4 * known.length * (known.length + classes.length));
  fours.forEach((four, f) => {
    fillFour(block, classes, four, pattern, tilted, work, numbers, 4 * f * stride);
  });
  return { known, hidden, tilted, numbers, stride };
}

function fillFour(
  block: Block,
  classes: Int32Array,
  { factors, lanes, matrix }: FourFactors,
  { known }: Pattern,
  tilted: Int32Array,
  work: Float64Array,
  out: Float64Array,
  at: number,
): void {
  const { K, columns } = block;
  const [n, o] = [columns.length, known.length];
  const stride = strideOf(K, o);
  const part = { matrix, n, columns: known, from: 0 };
  const logs = new Float64Array(4);
  factoriseFour(part, work, logs);
  tilted.forEach((k, t) => {
    solveRow(part, matrix, laneRow(n, n + classes.indexOf(k)), o, work, o + t);
  });
  for (let lane = 0; lane < lanes; lane++) {
    const start = at + lane * stride;
    const centre = start + 1 + K;
    out[start] = -o * HALF_LOG_TWO_PI - logs[lane];
    for (let i = 0; i < o; i++) out[centre + i] = factors[lane].mean[known[i]];
    let to = centre + o;
    for (let i = 0; i < o; i++) for (let j = 0; j <= i; j++) out[to++] = work[(i * o + j) * 4 + lane];
    invertLower(out, centre + o, o);
    for (let t = 0; t < tilted.length; t++) {
      const k = tilted[t];
      const from = (o + t) * o * 4 + lane;
      out[start + 1 + k] = writeTilt(block, factors[lane], known, k, work, from, out, centre + o, to + k * o);
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

/**
 * Writes v_k and returns w_k,h·μ_h + ½ w_k,hᵀ Σ_h|o w_k,h. With g = L⁻¹ (Σ w_k)_o, which is in `work`, every fourth from
 * `from`: v_k = L⁻ᵀ g − w_k,o, and the variance of w_k·x given y_o is that of its hidden part, w_kᵀ Σ w_k − g·g.
 */
function writeTilt(
  { weights }: Block,
  { mean, logZ }: GaussianFactor,
  known: Int32Array,
  k: number,
  work: Float64Array,
  from: number,
  out: Float64Array,
  inverse: number,
  to: number,
): number {
  const [n, o] = [mean.length, known.length];
  let value = logZ[k];
  for (let j = 0; j < o; j++) {
    const g = work[from + 4 * j];
    const w = weights[k * n + known[j]];
    value -= w * mean[known[j]] + (g * g) / 2;
    let sum = -w;
    for (let i = j; i < o; i++) sum += out[inverse + triangle(i) + j] * work[from + 4 * i];
    out[to + j] = sum;
  }
  return value;
}
