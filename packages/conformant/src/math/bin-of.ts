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
