import type { Block, Pattern } from "./block.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";

/**
 * Cholesky factors of Σ_oo for four components at once, with further rows carried along: row i < o becomes row i of L, a row
 * beyond them b becomes L⁻¹ b. The four sums of each entry do not wait for one another, which a single one would.
 *
 * Entries stand in lanes of four: `work[(i * o + j) * 4 + lane]`.
 *
 * @param rows o and the further rows
 * @returns log |L| per lane
 */
export function factoriseFour(work: Float64Array, o: number, rows: number): Float64Array {
  const logDeterminants = new Float64Array(4);
  for (let i = 0; i < rows; i++) {
    const row = i * o * 4;
    const last = Math.min(i, o - 1);
    for (let j = 0; j <= last; j++) {
      const other = j * o * 4;
      const at = row + 4 * j;
      let a = work[at];
      let b = work[at + 1];
      let c = work[at + 2];
      let d = work[at + 3];
      for (let e = 0; e < 4 * j; e += 4) {
        a -= work[row + e] * work[other + e];
        b -= work[row + e + 1] * work[other + e + 1];
        c -= work[row + e + 2] * work[other + e + 2];
        d -= work[row + e + 3] * work[other + e + 3];
      }
      if (i === j) {
        invertRoots(work, at, a, b, c, d, logDeterminants);
      } else {
        const diagonal = other + 4 * j;
        work[at] = a * work[diagonal];
        work[at + 1] = b * work[diagonal + 1];
        work[at + 2] = c * work[diagonal + 2];
        work[at + 3] = d * work[diagonal + 3];
      }
    }
  }
  return logDeterminants;
}

/** Writes the inverses of a diagonal entry's roots and adds the logarithms of the roots. */
function invertRoots(
  work: Float64Array,
  at: number,
  a: number,
  b: number,
  c: number,
  d: number,
  logs: Float64Array,
): void {
  work[at] = 1 / Math.sqrt(a);
  work[at + 1] = 1 / Math.sqrt(b);
  work[at + 2] = 1 / Math.sqrt(c);
  work[at + 3] = 1 / Math.sqrt(d);
  for (let lane = 0; lane < 4; lane++) logs[lane] -= Math.log(work[at + lane]);
}

/** Writes the known part of four covariances into the lanes, lower triangle. */
export function gatherFour(
  work: Float64Array,
  factors: readonly GaussianFactor[],
  { known }: Pattern,
  n: number,
): void {
  const o = known.length;
  const [a, b, c, d] = [
    factors[0].covariance,
    factors[1].covariance,
    factors[2].covariance,
    factors[3].covariance,
  ];
  for (let i = 0; i < o; i++) {
    const from = known[i] * n;
    for (let j = 0, at = i * o * 4; j <= i; j++, at += 4) {
      const place = from + known[j];
      work[at] = a[place];
      work[at + 1] = b[place];
      work[at + 2] = c[place];
      work[at + 3] = d[place];
    }
  }
}

/** Four factors from the m-th on; where there are fewer the last of all stands in for those that are not there. */
export function fourFrom(factors: readonly GaussianFactor[], m: number): GaussianFactor[] {
  const last = factors.length - 1;
  return [
    factors[m],
    factors[Math.min(m + 1, last)],
    factors[Math.min(m + 2, last)],
    factors[Math.min(m + 3, last)],
  ];
}

/** Writes (Σ w_k)_o of four components into the row of lanes that starts at `at`. */
export function gatherTilts(
  work: Float64Array,
  at: number,
  four: readonly GaussianFactor[],
  { known }: Pattern,
  k: number,
): void {
  const n = four[0].mean.length;
  for (let i = 0; i < known.length; i++) {
    for (let lane = 0; lane < 4; lane++) work[at + 4 * i + lane] = four[lane].tilts[k * n + known[i]];
  }
}

/** The classes for which a hidden cell counts. */
export function tiltedClasses({ weights, K, columns }: Block, { hidden }: Pattern): Int32Array {
  const n = columns.length;
  const classes = Array.from({ length: K }, (_, k) => k);
  return Int32Array.from(classes.filter((k) => hidden.some((i) => weights[k * n + i] !== 0)));
}
