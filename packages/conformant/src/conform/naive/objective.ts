import { CompensatedSums } from "../../math/compensated-sum.ts";
import { softmaxInPlace } from "../../math/exponential/softmax.ts";
import type { ClassPrior } from "./other-factors.ts";
import type { ConformProblem } from "./problem.ts";

/** The objective of a {@link ConformProblem} at a point u, with what the derivatives are made of. */
export interface Evaluation {
  readonly value: number;
  /** How far rounding may have moved the value, which is the difference of two larger numbers. */
  readonly rounding: number;
  /** P(v | k): atoms × K, `conditional[atom * K + k]`. */
  readonly conditional: Float64Array;
  /** P(k), K numbers. */
  readonly prior: Float64Array;
  /** With other factors: how it answers to the logits ℓ of the atoms; without them dP/dℓ = diag(p) − p pᵀ. */
  readonly classPrior?: ClassPrior;
}

/** Rounding errors of the two numbers, in units of the last place: their sums are compensated, the terms are not. */
const UNITS = 4;

/**
 * Evaluates the objective at u (one log q per atom; −∞ for an atom that is out of the support).
 *
 * @param near the evaluation at a point nearby, which may save time
 */
export function evaluate(problem: ConformProblem, u: Float64Array, near?: Evaluation): Evaluation {
  const { atoms, intercept, target, smoothing, total } = problem;
  const K = intercept.length;
  const n = atoms.columns.length;
  const conditional = new Float64Array(u.length * K);
  const logits = new CompensatedSums(intercept);
  const value = new CompensatedSums([0]);
  for (let i = 0; i < n; i++) {
    const [start, end] = [atoms.offsets[i], atoms.offsets[i + 1]];
    for (let k = 0; k < K; k++) {
      const logZ = tilt(u, atoms.scores, start, end, K, k, conditional);
      logits.add(k, logZ);
      if (smoothing[i] > 0) value.add(0, smoothing[i] * logZ);
    }
    for (let j = start; j < end; j++) if (target[j] > 0) value.add(0, -target[j] * u[j]);
  }
  const all = Float64Array.from({ length: K }, (_, k) => logits.get(k));
  const { prior, logZ, classPrior } = closeWith(problem, all, near?.classPrior);
  return {
    value: total * logZ + value.get(0),
    rounding: UNITS * Number.EPSILON * (1 + Math.abs(total * logZ)),
    conditional,
    prior,
    ...(classPrior && { classPrior }),
  };
}

/** P(k) and log Z from the logits of the atoms, in place; other factors are part of both, at their best. */
function closeWith(
  { others }: ConformProblem,
  logits: Float64Array,
  near: ClassPrior | undefined,
): { prior: Float64Array; logZ: number; classPrior?: ClassPrior } {
  if (!others) return { logZ: softmaxInPlace(logits), prior: logits };
  const classPrior = others.solvePrior(logits, near);
  return { prior: classPrior.prior, logZ: classPrior.value, classPrior };
}

/** Writes P(v | k) ∝ e^{u_v + s_kv} for the atoms of one column and returns log Z_ki. */
function tilt(
  u: Float64Array,
  scores: Float64Array,
  start: number,
  end: number,
  K: number,
  k: number,
  out: Float64Array,
): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let j = start; j < end; j++) {
    const x = u[j] + scores[j * K + k];
    out[j * K + k] = x;
    if (x > largest) largest = x;
  }
  let sum = 0;
  for (let j = start; j < end; j++) {
    const e = out[j * K + k] === largest ? 1 : Math.exp(out[j * K + k] - largest);
    out[j * K + k] = e;
    sum += e;
  }
  for (let j = start; j < end; j++) out[j * K + k] /= sum;
  return largest + Math.log(sum);
}

/**
 * The gradient, one number per atom: how far the model's smoothed marginals are from the data's,
 * Σ_k (T·p_k + d_i)·P(v | k) − m_v.
 */
export function marginalResiduals(problem: ConformProblem, { conditional, prior }: Evaluation): Float64Array {
  const { atoms, target, smoothing, total } = problem;
  const K = prior.length;
  const residual = new Float64Array(target.length);
  for (let i = 0; i < atoms.columns.length; i++) {
    for (let j = atoms.offsets[i]; j < atoms.offsets[i + 1]; j++) {
      let sum = 0;
      for (let k = 0; k < K; k++) sum += (total * prior[k] + smoothing[i]) * conditional[j * K + k];
      residual[j] = sum - target[j];
    }
  }
  return residual;
}
