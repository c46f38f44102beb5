import { logSumExp, softmaxInPlace } from "../math/softmax.ts";
import type { NumberLink } from "../predictors/number-link.ts";

/** What boosting minimizes: a loss of S sums per row, with its derivatives. */
export interface BoostingLoss {
  /** S. */
  readonly sums: number;
  /** Where the sums start, S numbers that suit the rows to train on. */
  base(train: Int32Array): Float64Array;
  /**
   * Computes what the derivatives of all sums share, for the rows to train on; called once per step.
   *
   * @param scores rows × S
   */
  prepare(scores: Float64Array, train: Int32Array): void;
  /**
   * Writes the weighted first and second derivatives in sum s of the rows to train on, by the last preparation.
   *
   * @param derivatives rows × 2
   */
  derive(s: number, train: Int32Array, derivatives: Float64Array): void;
  /** Σ weight · loss of some rows. */
  total(scores: Float64Array, some: Int32Array): number;
}

/** The log loss of K classes: gradients p − y and curvatures p (1 − p). */
export function logLoss(codes: Int32Array, weights: Float64Array | undefined, K: number): BoostingLoss {
  const S = K === 2 ? 1 : K;
  /** The probabilities of all classes, or of the second of two: rows × S. */
  const shares = new Float64Array(codes.length * S);
  const two = new Float64Array(2);
  return {
    sums: S,
    base: (train) => {
      // Half a row for every class, so that one without rows does not become impossible.
      const counts = new Float64Array(K).fill(0.5);
      for (const r of train) counts[codes[r]] += weights?.[r] ?? 1;
      const logs = counts.map(Math.log);
      return K === 2 ? Float64Array.of(logs[1] - logs[0]) : logs.map((log) => log - logSumExp(logs));
    },
    prepare: (scores, train) => {
      for (let j = 0; j < train.length; j++) {
        const r = train[j];
        if (S === 1) shares[r] = 1 / (1 + Math.exp(-scores[r]));
        else {
          for (let at = r * S; at < (r + 1) * S; at++) shares[at] = scores[at];
          softmaxInPlace(shares, r * S, S);
        }
      }
    },
    derive: (s, train, derivatives) => {
      const own = S === 1 ? 1 : s;
      for (let j = 0; j < train.length; j++) {
        const r = train[j];
        const p = shares[r * S + s];
        const weight = weights ? weights[r] : 1;
        derivatives[2 * r] = weight * (p - (codes[r] === own ? 1 : 0));
        derivatives[2 * r + 1] = weight * p * (1 - p);
      }
    },
    total: (scores, some) => {
      let sum = 0;
      for (let j = 0; j < some.length; j++) {
        const r = some[j];
        two[1] = scores[r];
        const logSum = S === 1 ? logSumExp(two) : logSumExp(scores, r * S, S);
        const score = S === 1 ? two[codes[r]] : scores[r * S + codes[r]];
        sum += (weights ? weights[r] : 1) * (logSum - score);
      }
      return sum;
    },
  };
}

/** The loss of a number y for the sum η: half of its square, (y − η)², or the Poisson deviance up to a constant, e^η − y η. */
export function numberLoss(
  y: Float64Array,
  weights: Float64Array | undefined,
  link: Extract<NumberLink, "identity" | "log">,
): BoostingLoss {
  const isLog = link === "log";
  const rates = new Float64Array(y.length);
  const weightOf = (r: number): number => weights?.[r] ?? 1;
  return {
    sums: 1,
    base: (train) => {
      let [total, sum] = [0, 0];
      for (const r of train) {
        total += weightOf(r);
        sum += weightOf(r) * y[r];
      }
      return Float64Array.of(isLog ? Math.log(sum / total) : sum / total);
    },
    prepare: (scores, train) => {
      for (let j = 0; j < train.length; j++)
        rates[train[j]] = isLog ? Math.exp(scores[train[j]]) : scores[train[j]];
    },
    derive: (_, train, derivatives) => {
      for (let j = 0; j < train.length; j++) {
        const r = train[j];
        derivatives[2 * r] = weightOf(r) * (rates[r] - y[r]);
        derivatives[2 * r + 1] = weightOf(r) * (isLog ? rates[r] : 1);
      }
    },
    total: (scores, some) => {
      let sum = 0;
      for (const r of some)
        sum += weightOf(r) * (isLog ? Math.exp(scores[r]) - y[r] * scores[r] : (y[r] - scores[r]) ** 2 / 2);
      return sum;
    },
  };
}
