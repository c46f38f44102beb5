import type { ClassPrior } from "../gaussian/class-prior.ts";
import { logOfProduct, timesOne } from "../kernels/plain-gaussian.ts";
import { CompensatedSums } from "../math/compensated-sum.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import type { ConformProblem, HeldProblem } from "./conform-problem.ts";

/** The objective of a {@link ConformProblem} at a point u, with what the derivatives are made of. */
export interface Evaluation {
  readonly value: number;
  /** How far rounding may have moved the value, which is the difference of two larger numbers. */
  readonly rounding: number;
  /** P(v | k): atoms × lanes. Of the last two evaluations only. */
  readonly conditional: Float64Array;
  /** P(k), K numbers. */
  readonly prior: Float64Array;
  /** With other factors: how it answers to the logits ℓ of the atoms; without them dP/dℓ = diag(p) − p pᵀ. */
  readonly classPrior?: ClassPrior;
}

/** Rounding errors of the two numbers, in units of the last place: their sums are compensated, the terms are not. */
const UNITS = 4;

/** Counts of as many rows differ by no more than this share. */
const SAME = 1e-12;

/** The objective of a problem and its gradient. */
export class Objective {
  readonly #problem: HeldProblem;
  /** P(v | k) of the last two evaluations, the older one first. */
  readonly #conditionals: [Float64Array, Float64Array];
  readonly #q: Float64Array;
  readonly #residual: Float64Array;
  readonly #z: Float64Array;
  readonly #products: Float64Array;
  /** The logarithm that is taken out of each column's e^u, the mean over the classes where it differs between them. */
  readonly #shifts: Float64Array;
  /** Σ_v m_v of each column, which is 1 without a pseudo-count. */
  readonly #sizes: Float64Array;

  constructor(problem: HeldProblem) {
    const { kernels, factors, target, smoothing, columns } = problem;
    this.#problem = problem;
    this.#conditionals = [kernels.numbers(factors.length), kernels.numbers(factors.length)];
    this.#q = kernels.numbers(target.length);
    this.#residual = kernels.numbers(target.length);
    this.#z = kernels.numbers(smoothing.length * columns.lanes);
    this.#products = kernels.numbers(2 * columns.lanes);
    this.#shifts = new Float64Array(smoothing.length);
    this.#sizes = smoothing.map((_, i) => {
      let sum = 0;
      for (let j = columns.offsets[i]; j < columns.offsets[i + 1]; j++) sum += target[j];
      return sum;
    });
  }

  /** Numbers that it needs of the kernels. */
  static room({ target, smoothing, tilts: { lanes, factors } }: ConformProblem): number {
    return 2 * factors.length + 2 * target.length + (smoothing.length + 2) * lanes + 16;
  }

  /**
   * Evaluates the objective at u (one log q per atom; −∞ for an atom that is out of the support).
   *
   * @param near the evaluation at a point nearby, which may save time, and which stays good
   */
  evaluate(u: Float64Array, near?: Evaluation): Evaluation {
    const { intercept, total } = this.#problem;
    if (this.#conditionals[0] === near?.conditional) this.#conditionals.reverse();
    const [conditional] = this.#conditionals;
    const logZ = this.#tilt(u, conditional);
    const value = new CompensatedSums([0]);
    this.#addSmoothing(value, logZ);
    this.#addTarget(value, u);
    const logits = intercept.map((b, k) => b + logZ[k]);
    const closed = closeWith(this.#problem, logits, near?.classPrior);
    const { prior, classPrior } = closed;
    return {
      value: total * closed.logZ + value.get(0),
      rounding: UNITS * Number.EPSILON * (1 + Math.abs(total * closed.logZ)),
      conditional,
      prior,
      ...(classPrior && { classPrior }),
    };
  }

  /**
   * The gradient, one number per atom: how far the model's smoothed marginals are from the data's,
   * Σ_k (T·p_k + d_i)·P(v | k) − m_v. The same array for all points.
   */
  residuals({ conditional, prior }: Evaluation): Float64Array {
    const { kernels, columns, weights, target, total } = this.#problem;
    for (let k = 0; k < prior.length; k++) weights.shares[k] = total * prior[k];
    kernels.weighAtoms(columns, conditional, weights, target, this.#residual);
    return this.#residual;
  }

  /**
   * The largest residual as a share of its column's smoothed counts, |g_v| / Σ_w m_w: a pseudo-count that outweighs the rows makes
   * both large, and rounding is relative to them.
   */
  mismatch(residual: Float64Array): number {
    const { columns, smoothing } = this.#problem;
    let largest = 0;
    for (let i = 0; i < smoothing.length; i++) {
      let own = 0;
      for (let j = columns.offsets[i]; j < columns.offsets[i + 1]; j++)
        own = Math.max(own, Math.abs(residual[j]));
      largest = Math.max(largest, own / this.#sizes[i]);
    }
    return largest;
  }

  /** Writes P(v | k) ∝ e^{u_v + s_kv} and returns Σ_i log Z_ki, K numbers. */
  #tilt(u: Float64Array, conditional: Float64Array): Float64Array {
    const { kernels, columns, factors, tilts, intercept } = this.#problem;
    const { offsets, lanes } = columns;
    const [n, products] = [this.#shifts.length, this.#products];
    const tilted = { conditional, z: this.#z, products };
    const logs = new CompensatedSums(new Float64Array(intercept.length + 1));
    const common = intercept.length;
    products.fill(1, 0, lanes).fill(0, lanes);
    let from = 0;
    for (let at = 0; at <= tilts.steep.length; at++) {
      const to = at < tilts.steep.length ? tilts.steep[at] : n;
      for (let i = from; i < to; i++) {
        const shift = largestOf(u, offsets[i], offsets[i + 1]);
        for (let j = offsets[i]; j < offsets[i + 1]; j++) this.#q[j] = u[j] - shift;
        this.#shifts[i] = shift;
        logs.add(common, shift);
      }
      if (to > from) kernels.tiltColumns(columns, from, to, factors, this.#q, tilted);
      if (to < n) this.#tiltSteeply(to, u, conditional, logs);
      from = to + 1;
    }
    return intercept.map((_, k) => logs.get(k) + logs.get(common) + logOfProduct(products, k, lanes));
  }

  /** The same for a column whose scores are too large for factors: an exponential of each sum, with the largest of a class taken out. */
  #tiltSteeply(i: number, u: Float64Array, conditional: Float64Array, logs: CompensatedSums): void {
    const { columns, atoms, intercept } = this.#problem;
    const { offsets, lanes } = columns;
    const [start, end, K] = [offsets[i], offsets[i + 1], intercept.length];
    this.#shifts[i] = 0;
    for (let k = 0; k < K; k++) {
      let largest = Number.NEGATIVE_INFINITY;
      for (let j = start; j < end; j++) largest = Math.max(largest, u[j] + atoms.scores[j * K + k]);
      let sum = 0;
      for (let j = start; j < end; j++) {
        const x = u[j] + atoms.scores[j * K + k];
        const e = x === largest ? 1 : Math.exp(x - largest);
        conditional[j * lanes + k] = e;
        sum += e;
      }
      for (let j = start; j < end; j++) conditional[j * lanes + k] /= sum;
      this.#z[i * lanes + k] = sum;
      this.#shifts[i] += largest / K;
      timesOne(this.#products, k, lanes, sum);
      logs.add(k, largest);
    }
    if (lanes > K) for (let j = start; j < end; j++) conditional[j * lanes + K] = 0;
  }

  /** Adds Σ_i d_i Σ_k log Z_ki: columns without gaps have the same d, but for rounding. */
  #addSmoothing(value: CompensatedSums, logZ: Float64Array): void {
    const { smoothing, columns } = this.#problem;
    const [K, usual] = [logZ.length, smoothing[0] ?? 0];
    if (usual > 0) for (let k = 0; k < K; k++) value.add(0, usual * logZ[k]);
    const product = new Float64Array(2);
    for (let i = 0; i < smoothing.length; i++) {
      if (Math.abs(smoothing[i] - usual) <= SAME * usual) continue;
      product[0] = 1;
      product[1] = 0;
      for (let k = 0; k < K; k++) timesOne(product, 0, 1, this.#z[i * columns.lanes + k]);
      value.add(0, (smoothing[i] - usual) * (K * this.#shifts[i] + logOfProduct(product, 0, 1)));
    }
  }

  /** Adds −Σ_v m_v u_v. */
  #addTarget(value: CompensatedSums, u: Float64Array): void {
    const { target } = this.#problem;
    for (let j = 0; j < u.length; j++) if (target[j] > 0) value.add(0, -target[j] * u[j]);
  }
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

function largestOf(u: Float64Array, start: number, end: number): number {
  let largest = u[start];
  for (let j = start + 1; j < end; j++) if (u[j] > largest) largest = u[j];
  return largest;
}
