const bytes = new DataView(new ArrayBuffer(8));

/** The next double above a finite one. */
export function above(x: number): number {
  return step(x, 1n);
}

/** The next double below a finite one. */
export function below(x: number): number {
  return -step(-x, 1n);
}

function step(x: number, by: bigint): number {
  bytes.setFloat64(0, x === 0 ? 0 : x);
  const bits = bytes.getBigInt64(0);
  bytes.setBigInt64(0, bits >= 0n ? bits + by : bits - by);
  return x === 0 ? Number.MIN_VALUE : bytes.getFloat64(0);
}

/** The finite threshold that no number of a table, which are all finite, tells from an infinite one; JSON has no infinity. */
export function finiteThreshold(t: number): number {
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, t));
}

/** The next single-precision number above one. */
function singleAbove(x: number): number {
  bytes.setFloat32(0, x === 0 ? 0 : x);
  const bits = bytes.getInt32(0);
  if (x === 0) return 2 ** -149;
  bytes.setInt32(0, bits >= 0 ? bits + 1 : bits - 1);
  return bytes.getFloat32(0);
}

/** The largest single-precision number that is smaller than t, itself one: x < t is x ≤ this. */
export function singleBelow(t: number): number {
  return -singleAbove(-t);
}

/**
 * The largest double T such that x ≤ T says the same as fround(x) ≤ t for every double x, so that trees which compare in single
 * precision become trees which compare doubles.
 */
export function singleThreshold(t: number): number {
  if (!Number.isFinite(t)) return t;
  let low = Math.fround(t);
  if (low > t) low = singleBelow(low);
  if (!Number.isFinite(low)) return low > 0 ? Number.POSITIVE_INFINITY : -(2 ** 128 - 2 ** 103);
  const high = singleAbove(low);
  // Halfway rounds to the even one of the two; beyond the largest single it rounds to ∞.
  const middle = Number.isFinite(high) ? low + (high - low) / 2 : low + 2 ** 103;
  return Math.fround(middle) <= low ? middle : below(middle);
}
