/** How many of the ascending `edges` are at or below x: the bin of x when bin j is [edges[j − 1], edges[j]). */
export function binOf(edges: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (edges[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the ascending numbers are below x. */
export function countBelow(numbers: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The ends of an interval in which a test turns from false at `from` to true at `to`, which may be the smaller one: of the last bit's size, or
 * after so many halvings.
 */
export function bisect(
  test: (x: number) => boolean,
  from: number,
  to: number,
  halvings = 200,
): [before: number, after: number] {
  let [before, after] = [from, to];
  for (let halving = 0; halving < halvings; halving++) {
    const middle = before + (after - before) / 2;
    if (middle === before || middle === after) break;
    if (test(middle)) after = middle;
    else before = middle;
  }
  return [before, after];
}

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

/** All subsets of the given size, in the order of the items. */
export function* subsets<T>(items: readonly T[], size: number, from = 0): Generator<T[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let at = from; at + size <= items.length; at++)
    for (const rest of subsets(items, size - 1, at + 1)) yield [items[at], ...rest];
}
