import { choleskyFactor } from "../linalg/cholesky.ts";
import { symmetricEigen } from "../linalg/symmetric-eigen.ts";
import { softmaxInPlace } from "../math/softmax.ts";

/** What the classes see of the moments of a block. */
export interface ClassMoments {
  /** w_k·x̄, K numbers. */
  readonly offset: Float64Array;
  /** w_kᵀ S w_l, K × K. */
  readonly gram: Float64Array;
}

/** The class prior of a component that has a Gaussian factor. */
export interface ClassPrior {
  /** p, K numbers. */
  readonly prior: Float64Array;
  /** The maximum below: the Gaussian's part of the objective and log Z in one. */
  readonly value: number;
  /** R with R Rᵀ = dp/dℓ, K × K: how the prior answers to the logits. */
  readonly response: Float64Array;
}

/** Newton steps, of which a few are needed, and halvings of one. */
const [STEPS, HALVINGS] = [100, 50];
/** A change of log p that is rounding. */
const ROUNDING = 1e-14;

/**
 * A Gaussian factor fitted by moments leaves one question open, the class prior, p_k ∝ exp( ℓ_k + log Z_k(p) ), with ℓ the
 * logits of the intercept and all other factors. It is the maximum of a concave function over the simplex, the dual of
 * fitting the factor:
 *
 *     H(p) + p·(ℓ + offset) + Σ_j ( q_j s_j + ½ log s_j ),     s_j = 2 / (1 + √(1 + 4 q_j))
 *
 * where q are the eigenvalues of √p_k √p_l (w_k − w̄)ᵀ S (w_l − w̄): K × K whatever the size of the block. Its gradient is
 * ℓ_k + log Z_k − log p_k, its Hessian −(diag(1/p) + Φ) with Φ as in {@link curvature}. Damped Newton in log p.
 */
export function solvePrior(logits: Float64Array, { offset, gram }: ClassMoments): ClassPrior {
  const K = logits.length;
  const linear = logits.map((x, k) => x + offset[k]);
  let logP: Float64Array = linear.slice();
  normalise(logP);
  let here = evaluate(logP, linear, gram);
  for (let step = 0; step < STEPS; step++) {
    const { response, change } = newtonStep(here, linear);
    const largest = change.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    if (!(largest > ROUNDING) || step === STEPS - 1) {
      return { prior: here.prior, value: here.value, response };
    }
    let size = Math.min(1, 10 / largest);
    let next = here;
    for (let halving = 0; halving < HALVINGS; halving++, size /= 2) {
      const trial = logP.map((x, k) => x + size * change[k]);
      normalise(trial);
      next = evaluate(trial, linear, gram);
      if (next.value >= here.value - 4 * Number.EPSILON * (1 + Math.abs(here.value))) break;
    }
    const moved = next.logP.reduce((most, x, k) => Math.max(most, here.prior[k] * Math.abs(x - logP[k])), 0);
    logP = next.logP;
    here = next;
    if (moved <= Number.EPSILON / K) return { prior: here.prior, value: here.value, response };
  }
  throw new Error("unreachable: the last step returns");
}

/** Eigenvalues q and vectors Q of √p_k √p_l (w_k − w̄)ᵀ S (w_l − w̄), from the Gram matrix w_kᵀ S w_l. */
export function spectrumOf(prior: Float64Array, gram: Float64Array): ReturnType<typeof symmetricEigen> {
  const K = prior.length;
  const rows = new Float64Array(K);
  let all = 0;
  for (let k = 0; k < K; k++) {
    for (let l = 0; l < K; l++) rows[k] += gram[k * K + l] * prior[l];
    all += prior[k] * rows[k];
  }
  const centred = new Float64Array(K * K);
  for (let k = 0; k < K; k++) {
    for (let l = 0; l < K; l++) {
      const inner = gram[k * K + l] - rows[k] - rows[l] + all;
      centred[k * K + l] = Math.sqrt(prior[k] * prior[l]) * inner;
    }
  }
  const { values, vectors } = symmetricEigen(centred, K);
  return { values: values.map((q) => Math.max(0, q)), vectors };
}

interface Point {
  readonly logP: Float64Array;
  readonly prior: Float64Array;
  readonly q: Float64Array;
  readonly s: Float64Array;
  readonly vectors: Float64Array;
  readonly value: number;
}

function evaluate(logP: Float64Array, linear: Float64Array, gram: Float64Array): Point {
  const prior = logP.map(Math.exp);
  const { values: q, vectors } = spectrumOf(prior, gram);
  const s = q.map((x) => 2 / (1 + Math.sqrt(1 + 4 * x)));
  let value = 0;
  for (let k = 0; k < prior.length; k++) {
    if (prior[k] > 0) value += prior[k] * (linear[k] - logP[k]);
    value += q[k] * s[k] + Math.log(s[k]) / 2;
  }
  return { logP, prior, q, s, vectors, value };
}

/**
 * With E = I + √p Φ √p = F Fᵀ and f = F⁻¹ √p:  dp/dℓ = √p F⁻ᵀ ( I − f fᵀ / |f|² ) F⁻¹ √p, which keeps Σ p = 1.
 * Returns its root and the Newton step of log p.
 */
function newtonStep(at: Point, linear: Float64Array): { response: Float64Array; change: Float64Array } {
  const { prior, logP, q, s, vectors } = at;
  const K = prior.length;
  const factor = curvature(at);
  choleskyFactor(factor, K);
  const root = prior.map(Math.sqrt);
  const f = forwardSolve(factor, K, root);
  const length = f.reduce((sum, x) => sum + x * x, 0);
  const response = new Float64Array(K * K);
  for (let j = 0; j < K; j++) {
    const column = f.map((x, i) => (i === j ? 1 : 0) - (x * f[j]) / length);
    backwardSolve(factor, K, column);
    for (let k = 0; k < K; k++) response[k * K + j] = root[k] * column[k];
  }
  const gradient = linear.map((x, k) => {
    let spread = 0;
    for (let j = 0; j < K; j++) spread += s[j] * q[j] * vectors[k * K + j] ** 2;
    return x - logP[k] + (prior[k] > 0 ? spread / (2 * prior[k]) : 0);
  });
  const inner = new Float64Array(K);
  for (let j = 0; j < K; j++) for (let k = 0; k < K; k++) inner[j] += response[k * K + j] * gradient[k];
  const change = new Float64Array(K);
  for (let k = 0; k < K; k++) {
    for (let j = 0; j < K; j++) change[k] += response[k * K + j] * inner[j];
    change[k] = prior[k] > 0 ? change[k] / prior[k] : 0;
  }
  return { response, change };
}

/**
 * I + √p Φ √p, K × K. With y_k = Q_k √q / √p_k, the classes in the basis of the spectrum:
 *
 *     Φ_kl = Σ_j s_j y_kj y_lj + ½ Σ_ij s_i s_j y_ki y_kj y_li y_lj / (1 + q_i s_i + q_j s_j)
 */
function curvature({ prior, q, s, vectors }: Point): Float64Array {
  const K = prior.length;
  const out = new Float64Array(K * K);
  for (let k = 0; k < K; k++) {
    for (let l = 0; l <= k; l++) {
      let [first, second] = [0, 0];
      for (let i = 0; i < K; i++) {
        const own = vectors[k * K + i] * vectors[l * K + i] * q[i];
        first += s[i] * own;
        for (let j = 0; j < K; j++) {
          const both = vectors[k * K + j] * vectors[l * K + j] * q[j];
          second += (s[i] * s[j] * own * both) / (1 + q[i] * s[i] + q[j] * s[j]);
        }
      }
      const scale = Math.sqrt(prior[k] * prior[l]);
      out[k * K + l] = out[l * K + k] = first + (scale > 0 ? second / (2 * scale) : 0) + (k === l ? 1 : 0);
    }
  }
  return out;
}

function forwardSolve(l: Float64Array, K: number, b: Float64Array): Float64Array {
  const x = b.slice();
  for (let i = 0; i < K; i++) {
    for (let j = 0; j < i; j++) x[i] -= l[i * K + j] * x[j];
    x[i] /= l[i * K + i];
  }
  return x;
}

function backwardSolve(l: Float64Array, K: number, x: Float64Array): void {
  for (let i = K - 1; i >= 0; i--) {
    for (let j = i + 1; j < K; j++) x[i] -= l[j * K + i] * x[j];
    x[i] /= l[i * K + i];
  }
}

/** Turns log weights into log probabilities. */
function normalise(logs: Float64Array): void {
  const scale = softmaxInPlace(logs.slice());
  for (let k = 0; k < logs.length; k++) logs[k] -= scale;
}
