import { triangle } from "../math/cholesky.ts";
import { HALF_LOG_TWO_PI, logNormalInterval } from "../math/normal.ts";
import type { MissingGiven } from "./few-missing.ts";
import type { CellMass, GaussianColumns, LowRank, Pattern } from "./gaussian.ts";

/** Σ as a full n × n matrix. */
export function expandLowRank({ diagonal, loadings, signs }: LowRank): Float64Array {
  const [n, r] = [diagonal.length, signs.length];
  const covariance = new Float64Array(n * n);
  const signed = new Float64Array(r);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < r; j++) signed[j] = signs[j] * loadings[i * r + j];
    for (let h = 0; h <= i; h++) {
      let sum = h === i ? diagonal[i] : 0;
      for (let j = 0; j < r; j++) sum += signed[j] * loadings[h * r + j];
      covariance[i * n + h] = covariance[h * n + i] = sum;
    }
  }
  return covariance;
}

/** A Gaussian of low rank. */
export interface LowRankGaussian {
  readonly mean: Float64Array;
  readonly lowRank: LowRank;
}

/**
 * A pattern of missing values under a Gaussian of low rank. With F = Ψ_o^-½ Λ_o and T = J + FᵀF = L D Lᵀ (Woodbury)
 *
 *     Σ_oo⁻¹ = Ψ_o⁻¹ − Ψ_o^-½ F T⁻¹ Fᵀ Ψ_o^-½     E[x_h | y_o] = μ_h + Λ_h T⁻¹ Fᵀ Ψ_o^-½ (y_o − μ_o)     Σ_h|o = Ψ_h + Λ_h T⁻¹ Λ_hᵀ
 *
 * T is positive definite where J is and negative definite on the rest given that, so that its factor needs no pivots. With n columns a pattern
 * costs n r² steps and a row n r.
 */
export class LowRankPattern {
  readonly #gaussianColumns: GaussianColumns;
  readonly #gaussian: LowRankGaussian;
  readonly #pattern: Pattern;
  /** L below the diagonal and D on it, row by row. */
  readonly #factor: Float64Array;
  /** log |Σ_oo| / 2 + ½ o log 2π. */
  readonly #logScale: number;
  readonly #along: Float64Array;

  constructor(gaussianColumns: GaussianColumns, gaussian: LowRankGaussian, pattern: Pattern) {
    const { diagonal, loadings, signs } = gaussian.lowRank;
    const { known } = pattern;
    const r = signs.length;
    this.#gaussianColumns = gaussianColumns;
    this.#gaussian = gaussian;
    this.#pattern = pattern;
    this.#along = new Float64Array(r);
    const factor = new Float64Array(triangle(r));
    for (let a = 0; a < r; a++) factor[triangle(a) + a] = signs[a];
    let logs = 0;
    for (const i of known) logs += Math.log(diagonal[i]);
    // Four columns at a time, so that the triangle is read and written once for all of them.
    for (let at = 0; at < known.length; at += 4) {
      const first = known[at] * r;
      const [second, third, fourth] = [1, 2, 3].map((next) => (known[at + next] ?? known[at]) * r);
      const [u, v, w, x] = [0, 1, 2, 3].map((next) =>
        at + next < known.length ? 1 / diagonal[known[at + next]] : 0,
      );
      for (let a = 0, to = 0; a < r; a++) {
        const [own, other] = [u * loadings[first + a], v * loadings[second + a]];
        const [more, last] = [w * loadings[third + a], x * loadings[fourth + a]];
        for (let b = 0; b <= a; b++)
          factor[to++] +=
            own * loadings[first + b] +
            other * loadings[second + b] +
            (more * loadings[third + b] + last * loadings[fourth + b]);
      }
    }
    factorSigned(factor, r);
    for (let a = 0; a < r; a++) logs += Math.log(Math.abs(factor[triangle(a) + a]));
    this.#factor = factor;
    this.#logScale = logs / 2 + known.length * HALF_LOG_TWO_PI;
  }

  /** Writes Fᵀ Ψ_o^-½ (y_o − μ_o) to `along`, and returns the square of Ψ_o^-½ (y_o − μ_o). */
  #project(cells: Float64Array, start: number, along: Float64Array): number {
    const { mean, lowRank } = this.#gaussian;
    const { diagonal, loadings } = lowRank;
    const r = along.length;
    let squares = 0;
    along.fill(0);
    for (const i of this.#pattern.known) {
      const away = cells[start + i] - mean[i];
      const scaled = away / diagonal[i];
      squares += away * scaled;
      for (let a = 0; a < r; a++) along[a] += scaled * loadings[i * r + a];
    }
    return squares;
  }

  /** Solves L x = b in place and returns Σ x²/d = bᵀ T⁻¹ b. */
  #solveLower(x: Float64Array, from = 0): number {
    const [factor, r] = [this.#factor, this.#along.length];
    let squares = 0;
    for (let a = 0, at = 0; a < r; a++) {
      let sum = x[from + a];
      for (let b = 0; b < a; b++) sum -= factor[at++] * x[from + b];
      x[from + a] = sum;
      squares += (sum * sum) / factor[at++];
    }
    return squares;
  }

  /** Solves D Lᵀ x = b in place, what {@link #solveLower} leaves of T x = b. */
  #solveUpper(x: Float64Array): void {
    const [factor, r] = [this.#factor, this.#along.length];
    for (let a = 0; a < r; a++) x[a] /= factor[triangle(a) + a];
    for (let a = r - 1; a >= 0; a--) for (let b = 0; b < a; b++) x[b] -= factor[triangle(a) + b] * x[a];
  }

  /** Λ_hᵀ w_k,h and w_k,hᵀ Ψ_h w_k,h of the classes for which a missing cell counts. */
  #weightsMissing(): readonly MissingWeights[] {
    const { weights, K } = this.#gaussianColumns;
    const { mean, lowRank } = this.#gaussian;
    const { diagonal, loadings, signs } = lowRank;
    const { hidden } = this.#pattern;
    const [n, r] = [mean.length, signs.length];
    return Array.from({ length: K }, (_, k) => {
      const along = new Float64Array(r);
      let [constant, counts] = [0, false];
      for (const i of hidden) {
        const w = weights[k * n + i];
        if (w === 0) continue;
        counts = true;
        constant += w * (mean[i] + (w * diagonal[i]) / 2);
        for (let a = 0; a < r; a++) along[a] += w * loadings[i * r + a];
      }
      constant += this.#solveLower(along) / 2;
      return { k, counts, constant, along };
    }).filter(({ counts }) => counts);
  }

  #missing: readonly MissingWeights[] | undefined;

  /**
   * Adds the scores of the row of n cells that starts at `start`: log N(y_o; μ_o, Σ_oo), and w_k,h·E[x_h | y_o] + ½ w_k,hᵀ Σ_h|o w_k,h.
   *
   * @param at where the density and, times K, the shifts go
   */
  score(cells: Float64Array, start: number, density: Float64Array, shift: Float64Array, at: number): void {
    const along = this.#along;
    const squares = this.#project(cells, start, along);
    const explained = this.#solveLower(along);
    density[at] -= (squares - explained) / 2 + this.#logScale;
    this.#missing ??= this.#weightsMissing();
    const r = along.length;
    for (let a = 0; a < r; a++) along[a] /= this.#factor[triangle(a) + a];
    const { K } = this.#gaussianColumns;
    for (const own of this.#missing) {
      let sum = own.constant;
      for (let a = 0; a < r; a++) sum += own.along[a] * along[a];
      shift[at * K + own.k] += sum;
    }
  }

  /** Σ_oo⁻¹ = Ψ_o⁻¹ − Ψ_o⁻¹ Λ_o T⁻¹ Λ_oᵀ Ψ_o⁻¹, and log |Σ_oo| / 2. */
  inverse(): { readonly precision: Float64Array; readonly logRoot: number } {
    const { diagonal, loadings, signs } = this.#gaussian.lowRank;
    const { known } = this.#pattern;
    const [o, r] = [known.length, signs.length];
    const solved = new Float64Array(o * r);
    const scaled = new Float64Array(r);
    const precision = new Float64Array(o * o);
    for (let i = 0; i < o; i++) {
      const own = known[i];
      for (let j = 0; j < r; j++) solved[i * r + j] = loadings[own * r + j] / diagonal[own];
      this.#solveLower(solved, i * r);
      for (let j = 0; j < r; j++) scaled[j] = solved[i * r + j] / this.#factor[triangle(j) + j];
      for (let h = 0; h <= i; h++) {
        let sum = h === i ? 1 / diagonal[own] : 0;
        for (let j = 0; j < r; j++) sum -= scaled[j] * solved[h * r + j];
        precision[i * o + h] = precision[h * o + i] = sum;
      }
    }
    return { precision, logRoot: this.#logScale - o * HALF_LOG_TWO_PI };
  }

  /** How the missing cells follow from the known ones. */
  given(): MissingGiven {
    const { weights, K } = this.#gaussianColumns;
    const { mean, lowRank } = this.#gaussian;
    const { diagonal, loadings, signs } = lowRank;
    const { hidden } = this.#pattern;
    const [n, h, r] = [mean.length, hidden.length, signs.length];
    // L⁻¹ Λ_hᵀ, a column of Λ_hᵀ after the other.
    const solved = new Float64Array(h * r);
    hidden.forEach((i, a) => {
      solved.set(loadings.subarray(i * r, (i + 1) * r), a * r);
      this.#solveLower(solved, a * r);
    });
    const covariance = new Float64Array(h * h);
    const inverse = Float64Array.from(signs, (_, a) => 1 / this.#factor[triangle(a) + a]);
    const scaled = new Float64Array(r);
    for (let a = 0; a < h; a++) {
      for (let j = 0; j < r; j++) scaled[j] = solved[a * r + j] * inverse[j];
      for (let b = 0; b <= a; b++) {
        let sum = a === b ? diagonal[hidden[a]] : 0;
        for (let j = 0; j < r; j++) sum += scaled[j] * solved[b * r + j];
        covariance[a * h + b] = covariance[b * h + a] = sum;
      }
    }
    const shift = new Float64Array(K * h);
    for (let k = 0; k < K; k++)
      for (let a = 0; a < h; a++)
        for (let b = 0; b < h; b++) shift[k * h + a] += covariance[a * h + b] * weights[k * n + hidden[b]];
    const along = new Float64Array(r);
    return {
      covariance,
      shift,
      meanInto: (cells, start, out) => {
        this.#project(cells, start, along);
        this.#solveLower(along);
        this.#solveUpper(along);
        for (let a = 0; a < h; a++) {
          let sum = mean[hidden[a]];
          for (let j = 0; j < r; j++) sum += loadings[hidden[a] * r + j] * along[j];
          out[a] = sum;
        }
      },
    };
  }
}

/** Given the columns before it number i is normal with mean μ_i + λ_i·z and variance ψ_i + λ_iᵀ P λ_i; z and P follow as in a Kalman filter. */
export function cellMassLowRank({ mean, lowRank }: LowRankGaussian, { known }: Pattern): CellMass {
  return (cells, start, sizes) => {
    const { diagonal, loadings, signs } = lowRank;
    const r = signs.length;
    const P = new Float64Array(r * r);
    for (let a = 0; a < r; a++) P[a * r + a] = signs[a];
    const [z, along] = [new Float64Array(r), new Float64Array(r)];
    let mass = 0;
    for (const i of known) {
      const own = i * r;
      let [variance, away] = [diagonal[i], cells[start + i] - mean[i]];
      for (let a = 0; a < r; a++) {
        let sum = 0;
        for (let b = 0; b < r; b++) sum += P[a * r + b] * loadings[own + b];
        along[a] = sum;
        variance += loadings[own + a] * sum;
        away -= loadings[own + a] * z[a];
      }
      const deviation = Math.sqrt(variance);
      mass += logNormalInterval(away / deviation, sizes[i] / (2 * deviation));
      for (let a = 0; a < r; a++) {
        const gain = along[a] / variance;
        z[a] += gain * away;
        for (let b = 0; b < r; b++) P[a * r + b] -= gain * along[b];
      }
    }
    return mass;
  };
}

/** Σ⁻¹ as a full n × n matrix, and log |Σ| / 2. */
export function invertLowRank(
  gaussianColumns: GaussianColumns,
  gaussian: LowRankGaussian,
): { readonly precision: Float64Array; readonly logRoot: number } {
  const n = gaussian.mean.length;
  const known = Int32Array.from({ length: n }, (_, i) => i);
  return new LowRankPattern(gaussianColumns, gaussian, { known, hidden: new Int32Array(0) }).inverse();
}

/** What the missing cells of a pattern are to a class. */
interface MissingWeights {
  readonly k: number;
  readonly counts: boolean;
  /** w_k,h·μ_h + ½ w_k,hᵀ Σ_h|o w_k,h. */
  readonly constant: number;
  /** L⁻¹ Λ_hᵀ w_k,h, r numbers. */
  readonly along: Float64Array;
}

/** Overwrites a symmetric matrix, its lower triangle row by row, by L below the diagonal and D on it, A = L D Lᵀ. */
function factorSigned(a: Float64Array, r: number): void {
  const scaled = new Float64Array(r);
  for (let i = 0; i < r; i++) {
    const row = triangle(i);
    for (let j = 0; j < i; j++) {
      const other = triangle(j);
      let sum = a[row + j];
      for (let c = 0; c < j; c++) sum -= scaled[c] * a[other + c];
      scaled[j] = sum;
      a[row + j] = sum / a[other + j];
    }
    let pivot = a[row + i];
    for (let c = 0; c < i; c++) pivot -= scaled[c] * a[row + c];
    a[row + i] = pivot;
  }
}
