/**
 * The positions of the numbers from the largest to the smallest; equal ones keep their order. A merge sort on typed arrays,
 * several times faster than sorting positions with a comparison function.
 */
export function fallingOrder(numbers: ArrayLike<number>): Int32Array {
  const n = numbers.length;
  let from = new Int32Array(n);
  let to = new Int32Array(n);
  for (let i = 0; i < n; i++) from[i] = i;
  for (let width = 1; width < n; width *= 2) {
    for (let low = 0; low < n; low += 2 * width) {
      const middle = Math.min(low + width, n);
      const high = Math.min(low + 2 * width, n);
      for (let a = low, b = middle, at = low; at < high; at++) {
        const left = a < middle && (b >= high || numbers[from[a]] >= numbers[from[b]]);
        to[at] = left ? from[a++] : from[b++];
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
