/** max_j |x_j|, 0 of nothing; NaN where an entry is NaN, so that a broken gradient never counts as small. */
export function largestAbsolute(x: Float64Array): number {
  let largest = 0;
  for (let j = 0; j < x.length; j++) largest = Math.max(largest, Math.abs(x[j]));
  return largest;
}
