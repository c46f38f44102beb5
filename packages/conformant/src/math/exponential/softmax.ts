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
