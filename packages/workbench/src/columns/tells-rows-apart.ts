/** The share of different rows that know a measured number, and of these that have a value of their own, beyond which none agree by chance. */
const [MOSTLY_KNOWN, OWN_VALUES] = [0.5, 0.9];

/**
 * Whether a column holds measured numbers that tell rows apart, so that rows that agree in all columns are the same cases again.
 *
 * @param numbers NaN where missing
 * @param once the rows without copies of earlier ones
 */
export function tellsRowsApart(numbers: Float64Array, once: Int32Array): boolean {
  const known = Float64Array.from(once, (r) => numbers[r]).filter((x) => !Number.isNaN(x));
  if (known.every(Number.isInteger)) return false; // integers may be codes
  return known.length > MOSTLY_KNOWN * once.length && new Set(known).size > OWN_VALUES * known.length;
}
