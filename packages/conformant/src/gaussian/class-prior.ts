import { choleskyFactor, solveFactored, solveLower, solveTransposed, triangle } from "../math/cholesky.ts";
import { orthogonaliseColumns } from "../math/orthogonalize.ts";
import { logSumExp, softmaxInPlace } from "../math/softmax.ts";
import { dot } from "../math/vectors.ts";

/** What the classes see of the moments of a Gaussian. */
export interface ClassMoments {
  /** w_k·x̄, K numbers. */
  readonly offset: Float64Array;
  /** G with G Gᵀ = w_kᵀ S w_l, K × r: the classes as points, as far apart as the Gaussian tells them apart, with r no more than K. */
  readonly places: Float64Array;
}

/** A Gaussian with these moments, as the problem of the atoms sees it. */
export function priorWith({ offset, places }: ClassMoments): OtherFactors {
  return {
    solvePrior: (logits, near) => solvePrior(logits, { offset, places }, near),
    gentler: (divisor) =>
      priorWith({ offset: offset.map((x) => x / divisor), places: places.map((x) => x / divisor) }),
  };
}

/** Newton steps, of which a few are needed, and halvings of one. */
const [STEPS, HALVINGS] = [200, 50];
/** Steps in a row that raise neither the value nor a log p by much nor bring the residual down, before that is rounding. */
const PATIENCE = 4;
/** Times the rounding of a value: a residual that a further step would not make smaller for sure. */
const FLOOR = 4;
/** Armijo's constant: the share of the predicted increase that a step must deliver. */
const SUFFICIENT_INCREASE = 1e-4;
/** Times the rounding of a value: how far two values may differ that are the same. */
const BLUR = 1e3;
/** No log p rises further than this in one step; a fall needs no bound, since the way down is straight. */
const LONGEST_RISE = 10;
/** Logits and distances of this size are near enough to no classifier at all to start from. */
const GENTLE = 8;
/** Halvings that are followed back: scores that are larger still keep no digit behind the point, and are taken as they are. */
const MOST_LEVELS = 52;
/** How well a halved problem is solved, and a residual that is rounding even with large weights. */
const [ROUGHLY, SOLVED] = [1e-2, 1e-10];
/** Probabilities below e to this make no difference to any moment, and their squares would underflow. */
const LEAST_LOG = -320;

/**
 * A Gaussian factor fitted by moments leaves one question open, the class prior, p_k ∝ exp( ℓ_k + log Z_k(p) ), with ℓ the
 * logits of the intercept and all other factors. It is the maximum of a concave function over the simplex, the dual of
 * fitting the factor:
 *
 *     H(p) + p·(ℓ + offset) + Σ_j ( q_j s_j + ½ log s_j ),     s_j = 2 / (1 + √(1 + 4 q_j))
 *
 * where q are the eigenvalues of √p_k √p_l (w_k − w̄)ᵀ S (w_l − w̄), of which no more than r are not 0. Its gradient is
 * ℓ_k + log Z_k − log p_k, its Hessian −(diag(1/p) + Φ) with Φ as in {@link curvature}. Damped Newton in log p.
 *
 * A class that looks impossible may be likely at the optimum, because the factor moves with p. From a p that is far too small
 * Newton's method would crawl, so large weights are reached by halving them: from there on p hardly changes where the factor
 * makes room for the class, and falls in one step where it does not.
 *
 * @param near the prior of a problem like this one, to try first. What comes of it is good enough where it is solved, or as far from
 *   that as `near` is: with numbers so large that rounding decides, to start anew would take long and come no nearer
 */
export function solvePrior(
  logits: Float64Array,
  { offset, places }: ClassMoments,
  near?: Pick<ClassPrior, "prior" | "residual">,
): ClassPrior {
  const linear = logits.map((x, k) => x + offset[k]);
  const largest = linear.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY);
  const centred = linear.map((x) => x - largest);
  const problem = { linear: centred, places };
  const tried = near && climb(near.prior.map(Math.log), problem, 0);
  const enough = Math.max(SOLVED, 2 * (near?.residual ?? 0));
  const { at, residual } = tried && tried.residual <= enough ? tried : climb(fromHalves(problem), problem, 0);
  let response: ResponseRoot | undefined;
  return {
    prior: at.prior,
    value: at.value + largest,
    residual,
    get response() {
      response ??= isOfLowRank(at)
        ? lowRankResponse(at)
        : denseResponse(denseStep(at).response, at.prior.length);
      return response;
    },
  };
}

/** Where to start from: the prior with all scores halved, from there that with scores of a quarter, and so on. */
function fromHalves({ linear, places }: PriorProblem): Float64Array {
  const levels = halvings(linear, places);
  let logP: Float64Array = linear.map((x) => x * 2 ** -levels);
  normalise(logP);
  for (let level = levels; level > Math.max(0, levels - MOST_LEVELS); level--) {
    const size = 2 ** -level;
    const half = { linear: linear.map((x) => x * size), places: places.map((x) => x * size) };
    logP = climb(logP, half, ROUGHLY).at.logP;
  }
  return logP;
}

/** How often the weights are halved before they are gentle. */
function halvings(linear: Float64Array, places: Float64Array): number {
  let most = 0;
  for (const numbers of [linear, places]) for (const x of numbers) most = Math.max(most, Math.abs(x));
  const levels = Math.ceil(Math.log2(most / GENTLE));
  return Number.isFinite(levels) ? Math.max(0, levels) : 0;
}

interface PriorProblem {
  /** ℓ + offset, K numbers. */
  readonly linear: Float64Array;
  readonly places: Float64Array;
}

interface Climbed {
  readonly at: Point;
  readonly residual: number;
}

/** Newton's method from a point to where the residual is within the tolerance or is rounding. */
function climb(start: Float64Array, problem: PriorProblem, tolerance: number): Climbed {
  let here = evaluate(start, problem);
  let best: Climbed | undefined;
  for (let step = 0, idle = 0; ; step++) {
    const residual = residualOf(here);
    const better = !best || residual < best.residual;
    if (better) best = { at: here, residual };
    if (!best || best.residual <= tolerance + FLOOR * here.rounding || idle === PATIENCE || step === STEPS)
      return best ?? { at: here, residual };
    const { change, slope } = isOfLowRank(here) ? lowRankStep(here) : denseStep(here);
    const next = lineSearch(here, problem, change, slope);
    const rising = next.logP.some((x, k) => x - here.logP[k] > 1);
    idle = better || rising || next.value > here.value + here.rounding ? 0 : idle + 1;
    here = next;
  }
}

function lineSearch(here: Point, problem: PriorProblem, change: Float64Array, slope: number): Point {
  let rise = 0;
  for (let k = 0; k < change.length; k++) rise = Math.max(rise, change[k]);
  let size = Math.min(1, LONGEST_RISE / rise);
  for (let halving = 0; ; halving++, size /= 2) {
    const trial = here.logP.slice();
    for (let k = 0; k < trial.length; k++) trial[k] += size * change[k];
    normalise(trial);
    const next = evaluate(trial, problem);
    const gain = next.value - here.value;
    if (gain >= Math.max(SUFFICIENT_INCREASE * size * slope, here.rounding)) return next;
    // Too small a gain to be told from rounding: the slope that is left tells whether the step was too long.
    const left = change.reduce((sum, x, k) => sum + next.prior[k] * x * next.gradient[k], 0);
    if (gain >= -BLUR * here.rounding && left >= -slope / 2) return next;
    if (halving === HALVINGS) return next;
  }
}

/** The classes' spread about their mean under p: √p_k √p_l (w_k − w̄)ᵀ S (w_l − w̄) = U Uᵀ with orthogonal columns. */
export interface Spread {
  /** Squares of the columns of U, r numbers: the eigenvalues. */
  readonly q: Float64Array;
  /** U, K × r. */
  readonly axes: Float64Array;
}

export function spreadOf(prior: Float64Array, places: Float64Array): Spread {
  const K = prior.length;
  const rank = places.length / K;
  const middle = new Float64Array(rank);
  for (let k = 0; k < K; k++) for (let j = 0; j < rank; j++) middle[j] += prior[k] * places[k * rank + j];
  const axes = new Float64Array(places.length);
  for (let k = 0, at = 0; k < K; k++) {
    const root = Math.sqrt(prior[k]);
    for (let j = 0; j < rank; j++, at++) axes[at] = root * (places[at] - middle[j]);
  }
  orthogonaliseColumns(axes, rank);
  const q = new Float64Array(rank);
  for (let at = 0; at < axes.length; at++) q[at % rank] += axes[at] * axes[at];
  return { q, axes };
}

interface Point extends Spread {
  readonly logP: Float64Array;
  readonly prior: Float64Array;
  readonly s: Float64Array;
  readonly value: number;
  /** ℓ_k + log Z_k − log p_k less its mean under p, which no step within the simplex sees: K numbers. */
  readonly gradient: Float64Array;
  /** How far rounding may have moved the value, and a residual. */
  readonly rounding: number;
}

function evaluate(logP: Float64Array, { linear, places }: PriorProblem): Point {
  const K = logP.length;
  const prior = new Float64Array(K);
  for (let k = 0; k < K; k++) prior[k] = Math.exp(logP[k]);
  const { q, axes } = spreadOf(prior, places);
  const rank = q.length;
  const s = new Float64Array(rank);
  for (let j = 0; j < rank; j++) s[j] = 2 / (1 + Math.sqrt(1 + 4 * q[j]));
  const gradient = new Float64Array(K);
  let value = 0;
  let size = 1;
  for (let k = 0; k < K; k++) {
    let spread = 0;
    for (let j = 0; j < rank; j++) spread += s[j] * axes[k * rank + j] ** 2;
    gradient[k] = linear[k] - logP[k] + spread / (2 * prior[k]);
    const term = prior[k] * (linear[k] - logP[k]);
    value += term;
    size += Math.abs(term);
  }
  const mean = dot(prior, gradient);
  for (let k = 0; k < K; k++) gradient[k] -= mean;
  for (let j = 0; j < rank; j++) {
    const [bend, width] = [q[j] * s[j], Math.log(s[j]) / 2];
    value += bend + width;
    size += bend + Math.abs(width);
  }
  return { logP, prior, q, axes, s, gradient, value, rounding: 4 * Number.EPSILON * size };
}

interface NewtonStep {
  /** Of log p, K numbers. */
  readonly change: Float64Array;
  /** What the value would gain by the change, to first order. */
  readonly slope: number;
}

/** Largest |p_k − softmax_k( ℓ + log Z(p) )|. */
function residualOf({ prior, logP, gradient }: Point): number {
  const implied = new Float64Array(prior.length);
  for (let k = 0; k < implied.length; k++) implied[k] = logP[k] + gradient[k];
  softmaxInPlace(implied);
  let largest = 0;
  for (let k = 0; k < implied.length; k++) largest = Math.max(largest, Math.abs(implied[k] - prior[k]));
  return largest;
}

/**
 * With E = I + √p Φ √p = F Fᵀ and f = F⁻¹ √p:  dp/dℓ = √p F⁻ᵀ ( I − f fᵀ / |f|² ) F⁻¹ √p, which keeps Σ p = 1.
 * Returns its root and the Newton step of log p.
 */
function denseStep(at: Point): NewtonStep & { readonly response: Float64Array } {
  const { prior, gradient } = at;
  const K = prior.length;
  const factor = curvature(at);
  // I + a positive semidefinite matrix, unless numbers overflowed: then the identity, which is a step along the gradient.
  if (!choleskyFactor(factor, K))
    for (let j = 0; j < factor.length; j++) factor[j] = j % (K + 1) === 0 ? 1 : 0;
  const f = new Float64Array(K);
  for (let k = 0; k < K; k++) f[k] = Math.sqrt(prior[k]);
  solveLower(factor, K, f);
  const length = dot(f, f);
  const response = new Float64Array(K * K);
  for (let i = 0; i < K; i++)
    for (let j = 0; j < K; j++) response[i * K + j] = (i === j ? 1 : 0) - (f[i] * f[j]) / length;
  solveTransposed(factor, K, response, K);
  for (let k = 0; k < K; k++) for (let j = 0; j < K; j++) response[k * K + j] *= Math.sqrt(prior[k]);
  const inner = new Float64Array(K);
  for (let j = 0; j < K; j++) for (let k = 0; k < K; k++) inner[j] += response[k * K + j] * gradient[k];
  const change = new Float64Array(K);
  let slope = 0;
  for (let k = 0; k < K; k++) {
    let sum = 0;
    for (let j = 0; j < K; j++) sum += response[k * K + j] * inner[j];
    change[k] = sum / prior[k];
    slope += sum * gradient[k];
  }
  return { response, change, slope };
}

/** Times as many classes as the curvature has rank from which on steps go through that. */
const MANY_CLASSES = 2;

/** The rank of √p Φ √p at most: an axis each, and a pair of them each. */
function rankOf({ q }: Point): number {
  return q.length + triangle(q.length);
}

/** Whether the curvature of many classes is seen in few directions: then steps are linear in the number of classes. */
function isOfLowRank(at: Point): boolean {
  return at.prior.length > MANY_CLASSES * rankOf(at);
}

/** B, K × R, with √p Φ √p = B Bᵀ: by {@link curvature} √s_i U_ki, and √( s_i s_j / (1 + q_i s_i + q_j s_j) ) U_ki U_kj / √p_k, halved for i = j. */
function curvatureRoot({ prior, q, axes, s }: Point): Float64Array {
  const [K, rank] = [prior.length, q.length];
  const R = rank + triangle(rank);
  const root = new Float64Array(K * R);
  for (let k = 0; k < K; k++) {
    let to = k * R;
    const scale = 1 / Math.sqrt(prior[k]);
    for (let i = 0; i < rank; i++) {
      const own = axes[k * rank + i];
      root[to++] = Math.sqrt(s[i]) * own;
      for (let j = 0; j <= i; j++) {
        const weight = (s[i] * s[j]) / (1 + q[i] * s[i] + q[j] * s[j]) / (i === j ? 2 : 1);
        root[to++] = Math.sqrt(weight) * own * axes[k * rank + j] * scale;
      }
    }
  }
  return root;
}

/** The Newton step through E⁻¹ = I − B (I + BᵀB)⁻¹ Bᵀ: dp/dℓ g = √p ( E⁻¹ v − E⁻¹√p (√pᵀ E⁻¹ v) / (√pᵀ E⁻¹ √p) ) for v = √p g. */
function lowRankStep(at: Point): NewtonStep {
  const { prior, gradient } = at;
  const [K, R] = [prior.length, rankOf(at)];
  const B = curvatureRoot(at);
  const inner = new Float64Array(R * R);
  for (let a = 0; a < R; a++) inner[a * R + a] = 1;
  for (let k = 0; k < K; k++)
    for (let a = 0; a < R; a++) {
      const own = B[k * R + a];
      for (let b = 0; b <= a; b++) inner[a * R + b] += own * B[k * R + b];
    }
  const solvable = choleskyFactor(inner, R);
  const solve = (v: Float64Array): Float64Array => {
    const along = new Float64Array(R);
    for (let k = 0; k < K; k++) for (let a = 0; a < R; a++) along[a] += B[k * R + a] * v[k];
    if (!solvable) return v; // numbers overflowed: a step along the gradient
    solveFactored(inner, R, along);
    return v.map((x, k) => {
      let sum = x;
      for (let a = 0; a < R; a++) sum -= B[k * R + a] * along[a];
      return sum;
    });
  };
  const root = prior.map(Math.sqrt);
  const [own, middle] = [solve(root.map((x, k) => x * gradient[k])), solve(root)];
  const share = dot(root, own) / dot(root, middle);
  const change = new Float64Array(K);
  let slope = 0;
  for (let k = 0; k < K; k++) {
    const moved = own[k] - share * middle[k];
    change[k] = moved / root[k];
    slope += root[k] * moved * gradient[k];
  }
  return { change, slope };
}

/** Writes x R for a root that is there as a matrix, K × K. */
function denseResponse(root: Float64Array, K: number): ResponseRoot {
  return (x, from, out, to) => {
    for (let l = 0; l < K; l++) {
      let sum = 0;
      for (let k = 0; k < K; k++) sum += x[from + k] * root[k * K + l];
      out[to + l] = sum;
    }
  };
}

/**
 * The root √p ( I − Σ_j (1 − 1/√(1 + σ_j²)) u_j u_jᵀ ) ( I − f fᵀ / |f|² ) for B = Σ_j σ_j u_j v_jᵀ, f the first two factors' product with √p.
 * It is diagonal plus low rank: x R takes time linear in the number of classes.
 */
function lowRankResponse(at: Point): ResponseRoot {
  const { prior } = at;
  const [K, R] = [prior.length, rankOf(at)];
  const B = curvatureRoot(at);
  orthogonaliseColumns(B, R);
  const squares = new Float64Array(R);
  for (let k = 0; k < K; k++) for (let a = 0; a < R; a++) squares[a] += B[k * R + a] ** 2;
  // (1 − 1/√(1 + σ²)) / σ² without a difference of what is nearly equal.
  const lost = squares.map((x) => 1 / (Math.sqrt(1 + x) * (1 + Math.sqrt(1 + x))));
  const along = new Float64Array(R);
  /** Multiplies K numbers by E^-½ = I − Σ_a lost_a b_a b_aᵀ, in place. */
  const shrink = (v: Float64Array): void => {
    along.fill(0);
    for (let k = 0; k < K; k++) for (let a = 0; a < R; a++) along[a] += B[k * R + a] * v[k];
    for (let a = 0; a < R; a++) along[a] *= lost[a];
    for (let k = 0; k < K; k++) {
      let sum = v[k];
      for (let a = 0; a < R; a++) sum -= B[k * R + a] * along[a];
      v[k] = sum;
    }
  };
  const root = prior.map(Math.sqrt);
  const f = root.slice();
  shrink(f);
  const length = dot(f, f);
  const row = new Float64Array(K);
  return (x, from, out, to) => {
    for (let k = 0; k < K; k++) row[k] = x[from + k] * root[k];
    shrink(row);
    const share = dot(row, f) / length;
    for (let k = 0; k < K; k++) out[to + k] = row[k] - share * f[k];
  };
}

/**
 * I + √p Φ √p, K × K. With y_k = U_k / √p_k, the classes along the axes of their spread:
 *
 *     Φ_kl = Σ_j s_j y_kj y_lj + ½ Σ_ij s_i s_j y_ki y_kj y_li y_lj / (1 + q_i s_i + q_j s_j)
 */
function curvature({ prior, q, axes, s }: Point): Float64Array {
  const [K, rank] = [prior.length, q.length];
  const out = new Float64Array(K * K);
  for (let k = 0; k < K; k++) {
    for (let l = 0; l <= k; l++) {
      let first = 0;
      let second = 0;
      for (let i = 0; i < rank; i++) {
        const own = axes[k * rank + i] * axes[l * rank + i];
        first += s[i] * own;
        second += (s[i] * s[i] * own * own) / (1 + 2 * q[i] * s[i]);
        for (let j = 0; j < i; j++) {
          const both = axes[k * rank + j] * axes[l * rank + j];
          second += (2 * s[i] * s[j] * own * both) / (1 + q[i] * s[i] + q[j] * s[j]);
        }
      }
      const scale = Math.sqrt(prior[k] * prior[l]);
      out[k * K + l] = out[l * K + k] = first + second / (2 * scale) + (k === l ? 1 : 0);
    }
  }
  return out;
}

/** Turns log weights into log probabilities, none of them too small to be counted with. */
function normalise(logs: Float64Array): void {
  const scale = logSumExp(logs);
  for (let k = 0; k < logs.length; k++) logs[k] = Math.max(logs[k] - scale, LEAST_LOG);
}

/**
 * Factors beside the atoms, as the problem of the atoms sees them. Whatever P(k) is, their best parameters under it are known, so
 * that P(k) is all that is left to be found of them.
 */
export interface OtherFactors {
  /**
   * P(k) with these factors at their best.
   *
   * @param logits of the intercept and the atoms, K numbers
   * @param near the prior of a problem like this one, to try first
   */
  solvePrior(logits: Float64Array, near?: ClassPrior): ClassPrior;
  /** The same factors with all scores of the classifier divided by `divisor`. */
  gentler(divisor: number): OtherFactors;
}

/** Writes x R, K numbers, for R with R Rᵀ = dp/dℓ and the K numbers of x that begin at `from`. */
type ResponseRoot = (x: Float64Array, from: number, out: Float64Array, to: number) => void;

/** The class prior of a component that has such factors. */
export interface ClassPrior {
  /** p, K numbers. */
  readonly prior: Float64Array;
  /** The factors' part of the objective and log Z in one. */
  readonly value: number;
  /** The root of dp/dℓ: how the prior answers to the logits. Found when it is asked for. */
  readonly response: ResponseRoot;
  /** Largest |p_k − softmax_k( ℓ + log Z(p) )|: how far p is from solving its equation. */
  readonly residual: number;
}
