import { logSumExp, softmaxInPlace } from "../math/softmax.ts";
import type { NumberLink } from "../predictors/number-link.ts";

/** What boosting minimizes: a loss of S sums per row, with its derivatives. Arrays have one entry, or S, for every row of the table. */
export interface BoostingLoss {
  /** S. */
  readonly sums: number;
  /** Where the sums start, S numbers that suit the rows to train on. */
  base(train: Int32Array): Float64Array;
  /** What the derivatives of all sums share; called once per step. */
  prepare(scores: Float64Array, train: Int32Array): Float64Array;
  /** Writes the weighted first and second derivatives in sum s for the rows to train on. */
  derive(
    s: number,
    prepared: Float64Array,
    train: Int32Array,
    gradient: Float64Array,
    curvature: Float64Array,
  ): void;
  /** Σ weight · loss of some rows. */
  total(scores: Float64Array, some: Int32Array): number;
}

/** The log loss of K classes: gradients p − y and curvatures p (1 − p). */
export function logLoss(codes: Int32Array, weights: Float64Array | undefined, K: number): BoostingLoss {
  const S = K === 2 ? 1 : K;
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
      const shares = new Float64Array(scores.length);
      for (const r of train) {
        if (S === 1) shares[r] = 1 / (1 + Math.exp(-scores[r]));
        else {
          shares.set(scores.subarray(r * S, (r + 1) * S), r * S);
          softmaxInPlace(shares, r * S, S);
        }
      }
      return shares;
    },
    derive: (s, shares, train, gradient, curvature) => {
      const own = S === 1 ? 1 : s;
      for (const r of train) {
        const [p, weight] = [shares[r * S + s], weights?.[r] ?? 1];
        gradient[r] = weight * (p - (codes[r] === own ? 1 : 0));
        curvature[r] = weight * p * (1 - p);
      }
    },
    total: (scores, some) => {
      let sum = 0;
      for (const r of some) {
        const own = S === 1 ? Float64Array.of(0, scores[r]) : scores.subarray(r * S, (r + 1) * S);
        sum += (weights?.[r] ?? 1) * (logSumExp(own) - own[codes[r]]);
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
    prepare: (scores) => scores,
    derive: (_, scores, train, gradient, curvature) => {
      for (const r of train) {
        const rate = isLog ? Math.exp(scores[r]) : scores[r];
        gradient[r] = weightOf(r) * (rate - y[r]);
        curvature[r] = weightOf(r) * (isLog ? rate : 1);
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
