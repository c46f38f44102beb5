/** Standard deviations beyond which nothing of a normal distribution is left. */
const REACH = 9;

/** Places between which a sum of normal densities is smooth: around the mean of each, ascending. */
export function normalBreaks(means: ArrayLike<number>, deviations: ArrayLike<number>): number[] {
  const places: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < means.length; j++) {
    for (const z of [-REACH, -3, -1, 0, 1, 3, REACH]) places.push(means[j] + z * deviations[j]);
    least = Math.min(least, deviations[j] / 2);
  }
  places.sort((x, y) => x - y);
  const kept: number[] = [];
  for (const x of places) if (kept.length === 0 || x - kept[kept.length - 1] > least) kept.push(x);
  const last = places[places.length - 1];
  if (kept[kept.length - 1] < last) kept.push(last);
  return kept;
}
