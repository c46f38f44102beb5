/** The position of the largest number, the first of several; −1 of none. However long the list: a spread call would overflow. */
export function indexOfLargest(x: ArrayLike<number>): number {
  let best = -1;
  for (let j = 0; j < x.length; j++) if (best < 0 || x[j] > x[best]) best = j;
  return best;
}
