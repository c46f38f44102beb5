import type { Block, Pattern } from "./block.ts";
import { HALF_LOG_TWO_PI } from "./condition.ts";
import { factoriseFour, fourFrom, gatherFour, gatherTilts, tiltedClasses } from "./factorise-four.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";
import { triangle } from "./moments.ts";

/**
 * All factors of a mixture made ready for rows with one pattern of gaps. Per component, one after the other in `numbers`:
 *
 *     −log |L| − ½ o log 2π                                1
 *     w_k,h·μ_h + ½ w_k,hᵀ Σ_h|o w_k,h                      K
 *     μ_o                                                  o
 *     L of Σ_oo = L Lᵀ, inverses on the diagonal            o (o + 1) / 2, row by row
 *     t_k = L⁻¹ Σ_oh w_k,h                                  K × o
 *
 * so that a row costs one forward substitution z = L⁻¹ (y_o − μ_o), its square, and K products t_k·z.
 */
export interface KnownPattern extends Pattern {
  readonly numbers: Float64Array;
  /** How many numbers a component has. */
  readonly stride: number;
  /** The classes for which a hidden cell counts; t of the others is 0. */
  readonly tilted: Int32Array;
}

/** How many numbers a component has for a pattern with o known cells. */
export function strideOf(K: number, o: number): number {
  return 1 + K + o + triangle(o) + K * o;
}

/** Prepares a pattern: one Cholesky factor per component, four at a time. */
export function prepare(block: Block, factors: readonly GaussianFactor[], pattern: Pattern): KnownPattern {
  const [o, M] = [pattern.known.length, factors.length];
  const stride = strideOf(block.K, o);
  const numbers = new Float64Array(stride * M);
  const tilted = tiltedClasses(block, pattern);
  const work = new Float64Array((o + tilted.length) * o * 4);
  for (let m = 0; m < M; m += 4) {
    fillFour(block, fourFrom(factors, m), pattern, tilted, work, numbers, m * stride, Math.min(4, M - m));
  }
  return { known: pattern.known, hidden: pattern.hidden, tilted, numbers, stride };
}

function fillFour(
  block: Block,
  four: readonly GaussianFactor[],
  pattern: Pattern,
  tilted: Int32Array,
  work: Float64Array,
  out: Float64Array,
  at: number,
  lanes: number,
): void {
  const { K } = block;
  const { known } = pattern;
  const [n, o] = [four[0].mean.length, known.length];
  const stride = strideOf(K, o);
  gatherFour(work, four, pattern, n);
  for (let t = 0; t < tilted.length; t++) gatherTilts(work, (o + t) * o * 4, four, pattern, tilted[t]);
  const logs = factoriseFour(work, o, o + tilted.length);
  for (let lane = 0; lane < lanes; lane++) {
    const start = at + lane * stride;
    const centre = start + 1 + K;
    out[start] = -o * HALF_LOG_TWO_PI - logs[lane];
    for (let i = 0; i < o; i++) out[centre + i] = four[lane].mean[known[i]];
    let to = centre + o;
    for (let i = 0; i < o; i++) for (let j = 0; j <= i; j++) out[to++] = work[(i * o + j) * 4 + lane];
    for (let t = 0; t < tilted.length; t++) {
      const k = tilted[t];
      const from = (o + t) * o * 4 + lane;
      out[start + 1 + k] = writeTilt(block, four[lane], known, k, work, from, out, centre + o, to + k * o);
    }
  }
}

/**
 * Writes t_k and returns w_k,h·μ_h + ½ w_k,hᵀ Σ_h|o w_k,h. With g = L⁻¹ (Σ w_k)_o, which is in `work`, every fourth from
 * `from`: t_k = g − Lᵀ w_k,o, and the variance of w_k·x given y_o is that of its hidden part, w_kᵀ Σ w_k − g·g.
 */
function writeTilt(
  { weights }: Block,
  { mean, logZ }: GaussianFactor,
  known: Int32Array,
  k: number,
  work: Float64Array,
  from: number,
  out: Float64Array,
  lower: number,
  to: number,
): number {
  const [n, o] = [mean.length, known.length];
  let value = logZ[k];
  for (let j = 0; j < o; j++) {
    const g = work[from + 4 * j];
    const w = weights[k * n + known[j]];
    value -= w * mean[known[j]] + (g * g) / 2;
    // The diagonal of L is stored inverted.
    let sum = g - w / out[lower + triangle(j) + j];
    for (let i = j + 1; i < o; i++) sum -= out[lower + triangle(i) + j] * weights[k * n + known[i]];
    out[to + j] = sum;
  }
  return value;
}
