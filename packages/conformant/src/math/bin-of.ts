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
