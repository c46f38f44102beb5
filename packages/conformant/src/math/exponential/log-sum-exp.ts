/**
 * log Σ_j exp(x_j) over `count` entries from `start`, without overflow.
 * An empty sum, or one whose entries are all −∞, is −∞.
 */
export function logSumExp(x: ArrayLike<number>, start = 0, count = x.length - start): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let j = start; j < start + count; j++) if (x[j] > largest) largest = x[j];
  if (largest === Number.NEGATIVE_INFINITY) return largest;
  let sum = 0;
  for (let j = start; j < start + count; j++) sum += Math.exp(x[j] - largest);
  return largest + Math.log(sum);
}
