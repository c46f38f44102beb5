import { exponential } from "./exponential.ts";

/**
 * Replaces `count` log weights from `start` by the probabilities proportional to their exponentials.
 * Returns the logarithm of the sum that was divided out; it and the entries are NaN where every weight was zero or one infinite.
 */
export function softmaxInPlace(x: Float64Array, start = 0, count = x.length - start): number {
  const end = start + count;
  let largest = x[start];
  for (let j = start + 1; j < end; j++) if (x[j] > largest) largest = x[j];
  let sum = 0;
  for (let j = start; j < end; j++) {
    const e = Math.exp(x[j] - largest);
    x[j] = e;
    sum += e;
  }
  for (let j = start; j < end; j++) x[j] /= sum;
  return largest + Math.log(sum);
}

/** Replaces class scores by probabilities as the kernels do for many rows, to the last bit; NaN where the scores give none. */
export function probabilitiesInPlace(x: Float64Array, start = 0, count = x.length - start): void {
  const end = start + count;
  let largest = x[start];
  for (let j = start + 1; j < end; j++) if (x[j] > largest) largest = x[j];
  let sum = 0;
  for (let j = start; j < end; j++) {
    x[j] = exponential(x[j] - largest);
    sum += x[j];
  }
  for (let j = start; j < end; j++) x[j] /= sum;
}

/**
 * log Σ_j exp(x_j) over `count` entries from `start`, without overflow.
 * An empty sum, or one whose entries are all −∞, is −∞.
 */
export function logSumExp(x: ArrayLike<number>, start = 0, count = x.length - start): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let j = start; j < start + count; j++) if (x[j] > largest) largest = x[j];
  if (largest === Number.NEGATIVE_INFINITY) return largest;
  let sum = 0;
  for (let j = start; j < start + count; j++) sum += Math.exp(x[j] - largest);
  return largest + Math.log(sum);
}

/** 1 / (1 + e^{−x}), without overflow. */
export function logistic(x: number): number {
  const e = Math.exp(-Math.abs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

/** log p / (1 − p), the inverse. */
export function logit(p: number): number {
  return Math.log(p) - Math.log1p(-p);
}

/** The same, finite where p is 0 or 1. */
export function finiteLogit(p: number): number {
  return logit(Math.min(1 - 2 ** -53, Math.max(Number.MIN_VALUE, p)));
}

const [OF_ZERO, OF_ONE] = [finiteLogit(0), finiteLogit(1)];

/** The inverse of {@link finiteLogit}: {@link logistic}, 0 and 1 included. */
export function probabilityOf(logOdds: number): number {
  if (logOdds <= OF_ZERO) return 0;
  return logOdds >= OF_ONE ? 1 : logistic(logOdds);
}

/** Stands for log 0: it decides between components, yet where no component can explain a row, sums of it stay numbers. */
export const LOG_IMPOSSIBLE = -1e4;
