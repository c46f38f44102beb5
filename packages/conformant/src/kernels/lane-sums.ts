/** Products of pivots within these bounds can be multiplied by one more without leaving the range of numbers. */
const [TINY, HUGE] = [1e-140, 1e140];

/** Adds log |L| from the inverses on the diagonal: the logarithm of products, as long as these stay in range. */
export function addLogRoots(work: Float64Array, o: number, logs: Float64Array): void {
  for (let lane = 0; lane < 4; lane++) {
    let product = 1;
    const step = 4 * (o + 1);
    for (let at = lane; at < 4 * o * o; at += step) {
      product *= work[at];
      if (product > TINY && product < HUGE) continue;
      logs[lane] -= Math.log(product);
      product = 1;
    }
    logs[lane] -= Math.log(product);
  }
}

/** Adds the products of two rows of `count` entries to four sums, lane by lane. */
export function addProducts(
  x: Float64Array,
  from: number,
  y: Float64Array,
  other: number,
  count: number,
  sums: Float64Array,
  to: number,
): void {
  let a = sums[to];
  let b = sums[to + 1];
  let c = sums[to + 2];
  let d = sums[to + 3];
  for (let i = from, j = other; i < from + 4 * count; i += 4, j += 4) {
    a += x[i] * y[j];
    b += x[i + 1] * y[j + 1];
    c += x[i + 2] * y[j + 2];
    d += x[i + 3] * y[j + 3];
  }
  sums[to] = a;
  sums[to + 1] = b;
  sums[to + 2] = c;
  sums[to + 3] = d;
}
