/** Σ_j x_j · y_j. */
export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += x[j] * y[j];
  return sum;
}

/** max_j |x_j|, 0 of nothing; NaN where an entry is NaN, so that a broken gradient never counts as small. */
export function largestAbsolute(x: Float64Array): number {
  let largest = 0;
  for (let j = 0; j < x.length; j++) largest = Math.max(largest, Math.abs(x[j]));
  return largest;
}

/** The position of the largest number, the first of several; −1 of none. However long the list: a spread call would overflow. */
export function indexOfLargest(x: ArrayLike<number>): number {
  let best = -1;
  for (let j = 0; j < x.length; j++) if (best < 0 || x[j] > x[best]) best = j;
  return best;
}

/** Running sums from 0: where each of several lists starts when they stand one after the other. */
export function offsets(sizes: readonly number[]): Int32Array {
  const starts = new Int32Array(sizes.length + 1);
  sizes.forEach((size, i) => {
    starts[i + 1] = starts[i] + size;
  });
  return starts;
}

/** Σ_k p_k log( p_k / q_k ), Kullback and Leibler's divergence: finite also where q_k is too small for a number. */
export function divergence(p: Float64Array, q: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < p.length; k++)
    if (p[k] > 0) sum += p[k] * (Math.log(p[k]) - Math.log(Math.max(q[k], Number.MIN_VALUE)));
  return sum;
}

/** An array that is kept from call to call: loops over blocks of rows would otherwise wait for fresh memory at every block. */
export class Scratch {
  #kept = new Float64Array(0);

  /** So many numbers, whatever they are; good until the next call. */
  take(count: number): Float64Array {
    if (this.#kept.length < count) this.#kept = new Float64Array(count);
    return this.#kept.length === count ? this.#kept : this.#kept.subarray(0, count);
  }
}

/** −Σ p log p, in nats. */
export function entropy(p: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < p.length; k++) if (p[k] > 0) sum -= p[k] * Math.log(p[k]);
  return sum;
}
