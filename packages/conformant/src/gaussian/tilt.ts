import type { Block, Pattern } from "./block.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";

/** The classes for which a hidden cell counts. */
export function tiltedClasses({ weights, K, columns }: Block, { hidden }: Pattern): Int32Array {
  const n = columns.length;
  const classes = Array.from({ length: K }, (_, k) => k);
  return Int32Array.from(classes.filter((k) => hidden.some((i) => weights[k * n + i] !== 0)));
}

/** Writes Σ_oh w_k,h, every fourth entry from `at`, and returns w_k,h·μ_h + ½ w_k,hᵀ Σ_hh w_k,h. */
export function tilt(
  { weights }: Block,
  { mean, covariance }: GaussianFactor,
  { known, hidden }: Pattern,
  k: number,
  work: Float64Array,
  at: number,
): number {
  const n = mean.length;
  const sums = sumsOf(n);
  let own = 0;
  for (let a = 0; a < hidden.length; a++) {
    const row = hidden[a] * n;
    const w = weights[k * n + hidden[a]];
    own += w * mean[hidden[a]];
    for (let j = 0; j < n; j++) sums[j] += w * covariance[row + j];
  }
  for (let a = 0; a < hidden.length; a++) own += (weights[k * n + hidden[a]] * sums[hidden[a]]) / 2;
  for (let i = 0; i < known.length; i++) work[at + 4 * i] = sums[known[i]];
  return own;
}

let scratch = new Float64Array(64);

/** n zeros, always in the same place. */
function sumsOf(n: number): Float64Array {
  if (scratch.length < n) scratch = new Float64Array(2 * n);
  return scratch.fill(0, 0, n);
}
