import { orthogonaliseColumns } from "../math/orthogonalize.ts";
import { random } from "../math/random.ts";
import { largestAbsolute } from "../math/vectors.ts";
import { type Spread, spreadOf } from "./class-prior.ts";
import type { GaussianColumns, LowRank } from "./gaussian.ts";

/** A covariance S = Ψ + L Lᵀ that factor analysis finds. */
export type Factors = Pick<LowRank, "diagonal" | "loadings">;

/** The least share of its variance that a column keeps for itself, as in R's `factanal`. */
const LEAST_UNIQUE = 0.005;
/** Multiplications before the first guess of the directions is used. */
const FIRST_ROUNDS = 3;
/** Steps end when no uniqueness changes by more than this share of its variance, or after so many. */
const [SETTLED, MOST_STEPS] = [1e-3, 40];
/** Multiplications per step from which on steps end earlier: later ones change no prediction. */
const [COSTLY, FEWER_STEPS] = [1e7, 12];

/**
 * Maximum likelihood factor analysis of a covariance, from the directions in which Ψ^-½ S Ψ^-½ has the largest eigenvalues (Barber 2012,
 * algorithm 21.1): L = Ψ^½ U (Λ − I)^½, Ψ = diag( S − L Lᵀ ), until Ψ settles. The directions follow from the step before by one multiplication.
 *
 * @param covariance S, n × n
 * @param rank the number of columns of L
 * @param near the factors of a covariance like this one, to start from
 */
export function analyzeFactors(covariance: Float64Array, n: number, rank: number, near?: Factors): Factors {
  const variance = Float64Array.from({ length: n }, (_, i) => covariance[i * n + i]);
  const diagonal = near
    ? variance.map((v, i) => Math.max(Math.min(near.diagonal[i], v), LEAST_UNIQUE * v))
    : variance.map((v) => v / 2);
  const loadings = new Float64Array(n * rank);
  let directions = startDirections(n, rank, near);
  let lengths: Float64Array = new Float64Array(rank);
  const most = n * n * rank < COSTLY ? MOST_STEPS : FEWER_STEPS;
  for (let step = 0; step < most; step++) {
    const root = diagonal.map(Math.sqrt);
    for (let round = step === 0 && !near ? FIRST_ROUNDS : 1; round > 0; round--) {
      ({ directions, lengths } = orthonormalize(multiplyScaled(covariance, root, directions, rank), rank));
    }
    let change = 0;
    for (let i = 0; i < n; i++) {
      let unique = variance[i];
      for (let j = 0; j < rank; j++) {
        const loading = root[i] * directions[i * rank + j] * Math.sqrt(Math.max(0, lengths[j] - 1));
        loadings[i * rank + j] = loading;
        unique -= loading * loading;
      }
      unique = Math.max(unique, LEAST_UNIQUE * variance[i]);
      change = Math.max(change, Math.abs(unique - diagonal[i]) / variance[i]);
      diagonal[i] = unique;
    }
    if (change < SETTLED) break;
  }
  return { diagonal, loadings };
}

/** Directions to start from, n × r and orthonormal: those of earlier factors where they have any length, else random ones. */
function startDirections(n: number, rank: number, near: Factors | undefined): Float64Array {
  const generator = random(0);
  const directions = Float64Array.from({ length: n * rank }, () => generator.normal());
  if (!near) return directions;
  const scaled = near.loadings.map((x, at) => x / Math.sqrt(near.diagonal[Math.floor(at / rank)]));
  const lengths = new Float64Array(rank);
  normalizeColumns(scaled, lengths);
  for (let at = 0; at < scaled.length; at++)
    directions[at] = lengths[at % rank] > 0 ? scaled[at] : directions[at] / Math.sqrt(n);
  return directions;
}

/** Ψ^-½ S Ψ^-½ V for the n × r matrix V: four rows of V at a time, so that sums are read and written once for all four. */
function multiplyScaled(
  covariance: Float64Array,
  root: Float64Array,
  v: Float64Array,
  r: number,
): Float64Array {
  const n = root.length;
  const whole = 4 * Math.ceil(n / 4);
  // Rows of zeros make their number a multiple of four.
  const scaled = new Float64Array(whole * r);
  for (let i = 0, at = 0; i < n; i++) for (let j = 0; j < r; j++, at++) scaled[at] = v[at] / root[i];
  const row = new Float64Array(whole);
  const out = new Float64Array(n * r);
  const sums = new Float64Array(r);
  for (let i = 0; i < n; i++) {
    for (let h = 0; h < n; h++) row[h] = covariance[i * n + h] / root[i];
    sums.fill(0);
    for (let h = 0; h < whole; h += 4) {
      const [a, b, c, d] = [row[h], row[h + 1], row[h + 2], row[h + 3]];
      const first = h * r;
      const second = first + r;
      const third = second + r;
      const fourth = third + r;
      for (let j = 0; j < r; j++)
        sums[j] +=
          a * scaled[first + j] + b * scaled[second + j] + (c * scaled[third + j] + d * scaled[fourth + j]);
    }
    out.set(sums, i * r);
  }
  return out;
}

/** Orthonormal columns Y J / σ. */
interface Orthonormal {
  readonly directions: Float64Array;
  /** J, r × r. */
  readonly turned: Float64Array;
  /** σ, r numbers. */
  readonly lengths: Float64Array;
}

/** The share of the largest σ below which a column is rounding. */
const LEAST_LENGTH = 1e-7;

/** The columns of Y, m × r, turned until they are orthogonal, by Yᵀ Y = J diag( σ² ) Jᵀ: with many rows much cheaper than turning Y itself. */
function orthonormalize(y: Float64Array, r: number): Orthonormal {
  const products = new Float64Array(r * r);
  for (let from = 0; from < y.length; from += r)
    for (let a = 0; a < r; a++) {
      const own = y[from + a];
      for (let b = 0; b <= a; b++) products[a * r + b] += own * y[from + b];
    }
  for (let a = 0; a < r; a++) for (let b = 0; b < a; b++) products[b * r + a] = products[a * r + b];
  const turned = identity(r);
  orthogonaliseColumns(products, r, turned);
  const directions = new Float64Array(y.length);
  for (let from = 0; from < y.length; from += r)
    for (let c = 0; c < r; c++) {
      const own = y[from + c];
      for (let a = 0; a < r; a++) directions[from + a] += own * turned[c * r + a];
    }
  const lengths = new Float64Array(r);
  normalizeColumns(directions, lengths);
  const least = LEAST_LENGTH * largestAbsolute(lengths);
  for (let at = 0; at < directions.length; at++) if (lengths[at % r] < least) directions[at] = 0;
  return { directions, turned, lengths: lengths.map((length) => (length < least ? 0 : length)) };
}

/** Divides columns by their lengths, which are written; a column of zeros stays one. */
function normalizeColumns(a: Float64Array, lengths: Float64Array): void {
  const r = lengths.length;
  lengths.fill(0);
  for (let at = 0; at < a.length; at++) lengths[at % r] += a[at] * a[at];
  for (let j = 0; j < r; j++) lengths[j] = Math.sqrt(lengths[j]);
  for (let at = 0; at < a.length; at++) if (lengths[at % r] > 0) a[at] /= lengths[at % r];
}

/** S w for S = Ψ + L Lᵀ. */
function multiplyFactors({ diagonal, loadings }: Factors, w: Float64Array): Float64Array {
  const n = diagonal.length;
  const r = loadings.length / n;
  const along = new Float64Array(r);
  for (let i = 0; i < n; i++) for (let j = 0; j < r; j++) along[j] += w[i] * loadings[i * r + j];
  return w.map((x, i) => {
    let sum = x * diagonal[i];
    for (let j = 0; j < r; j++) sum += along[j] * loadings[i * r + j];
    return sum;
  });
}

/** The classes' weights as rows a_k, K × (n + r), with a_k·a_l = w_kᵀ S w_l: Ψ^½ w_k and Lᵀ w_k. */
export function scaleByFactors(
  weights: Float64Array,
  K: number,
  { diagonal, loadings }: Factors,
): Float64Array {
  const n = diagonal.length;
  const r = loadings.length / n;
  const scaled = new Float64Array(K * (n + r));
  for (let k = 0, to = 0; k < K; k++, to += n + r) {
    for (let i = 0; i < n; i++) {
      const w = weights[k * n + i];
      scaled[to + i] = Math.sqrt(diagonal[i]) * w;
      for (let j = 0; j < r; j++) scaled[to + n + j] += loadings[i * r + j] * w;
    }
  }
  return scaled;
}

/** The least variance that the classes leave in a direction, as a share of Ψ: rounding may leave none. */
const LEAST_LEFT = 1e-9;

/**
 * The Σ of low rank plus diagonal that together with the classes has covariance S = Ψ + L Lᵀ under class prior p: Σ = S − Rᵀ Q diag(t²) Qᵀ R
 * (docs/mathematics.md). Its loadings are directions in which Ψ^-½ Σ Ψ^-½ differs from the identity.
 *
 * @param places the classes as points, as the moments have them
 */
export function matchFactors(
  { weights, K }: GaussianColumns,
  factors: Factors,
  places: Float64Array,
  prior: Float64Array,
): LowRank {
  const { diagonal } = factors;
  const n = diagonal.length;
  const r = factors.loadings.length / n;
  const taken = takenByClasses(weights, K, factors, spreadOf(prior, places), prior);
  const width = r + taken.length;
  const root = diagonal.map(Math.sqrt);
  const basis = new Float64Array(n * width);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < r; j++) basis[i * width + j] = factors.loadings[i * r + j] / root[i];
    for (let j = 0; j < taken.length; j++) basis[i * width + r + j] = taken[j][i] / root[i];
  }
  const { directions, turned, lengths } = orthonormalize(basis, width);
  // I + basisᵀ ( L Lᵀ − what the classes take ) basis, within Ψ^-½ Σ Ψ^-½.
  const inner = identity(width);
  for (let a = 0; a < width; a++) {
    for (let b = 0; b < width; b++) {
      let sum = 0;
      for (let c = 0; c < width; c++) sum += (c < r ? 1 : -1) * turned[c * width + a] * turned[c * width + b];
      inner[a * width + b] += lengths[a] * lengths[b] * sum;
    }
  }
  const axes = identity(width);
  const left = new Float64Array(width);
  orthogonaliseColumns(inner, width, axes);
  normalizeColumns(inner, left);
  const order = Array.from(left.keys()).sort((a, b) => left[b] - left[a]);
  const loadings = new Float64Array(n * width);
  const signs = new Float64Array(width);
  order.forEach((from, to) => {
    const excess = Math.max(left[from], LEAST_LEFT) - 1;
    signs[to] = excess < 0 ? -1 : 1;
    const length = Math.sqrt(Math.abs(excess));
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let c = 0; c < width; c++) sum += directions[i * width + c] * axes[c * width + from];
      loadings[i * width + to] = root[i] * length * sum;
    }
  });
  return { diagonal, loadings, signs };
}

/** The columns of Rᵀ Q diag(t): what the distances of the classes take of the covariance, a list for each axis of their spread. */
function takenByClasses(
  weights: Float64Array,
  K: number,
  factors: Factors,
  { q, axes }: Spread,
  prior: Float64Array,
): Float64Array[] {
  const n = factors.diagonal.length;
  const average = new Float64Array(n);
  for (let k = 0; k < K; k++) for (let i = 0; i < n; i++) average[i] += prior[k] * weights[k * n + i];
  const moved = Array.from({ length: K }, (_, k) =>
    multiplyFactors(
      factors,
      average.map((x, i) => weights[k * n + i] - x),
    ),
  );
  return Array.from(q, (square, j) => {
    const column = new Float64Array(n);
    if (!(square > 0)) return column;
    const t = 2 / (1 + Math.sqrt(1 + 4 * square));
    for (let k = 0; k < K; k++) {
      const share = (t / Math.sqrt(square)) * Math.sqrt(prior[k]) * axes[k * q.length + j];
      for (let i = 0; i < n; i++) column[i] += share * moved[k][i];
    }
    return column;
  });
}

function identity(n: number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0));
}
