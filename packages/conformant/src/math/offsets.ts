/** Running sums from 0: where each of several lists starts when they stand one after the other. */
export function offsets(sizes: readonly number[]): Int32Array {
  const starts = new Int32Array(sizes.length + 1);
  sizes.forEach((size, i) => {
    starts[i + 1] = starts[i] + size;
  });
  return starts;
}
