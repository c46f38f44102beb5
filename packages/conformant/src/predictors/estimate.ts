/**
 * A number with what is known about its error: `exact`, it is the number up to rounding; `grid`, the number is proved to
 * lie between `lower` and `upper`; `sampling`, it does so with 95 % confidence.
 */
export interface Estimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly method: "exact" | "grid" | "sampling";
  /** Of sampling. */
  readonly standardError?: number;
}

/** A number without error beyond rounding. */
export function exactly(value: number): Estimate {
  return { value, lower: value, upper: value, method: "exact" };
}

/** 1.96, the standard normal's 97.5 % quantile. */
const Z95 = 1.959963984540054;

/** The mean of independent draws, with its confidence from the sum of their squares about it. */
export function sampleMean(value: number, squares: number, count: number): Estimate {
  const variance = count > 1 ? squares / (count - 1) : 0;
  const standardError = Math.sqrt(variance / count);
  const half = Z95 * standardError;
  return { value, lower: value - half, upper: value + half, method: "sampling", standardError };
}

/** A probability from the share of draws in which something happened; Wilson's interval, which is sound at 0 and 1 too. */
export function sampleShare(weight: number, count: number): Estimate {
  const share = Math.round(weight * count) / count; // the sum of weights 1 / count, without its rounding
  const z2 = (Z95 * Z95) / count;
  const middle = (share + z2 / 2) / (1 + z2);
  const half = (Z95 / (1 + z2)) * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count));
  const standardError = Math.sqrt((share * (1 - share)) / count);
  return {
    value: share,
    lower: Math.max(0, Math.min(share, middle - half)),
    upper: Math.min(1, Math.max(share, middle + half)),
    method: "sampling",
    standardError,
  };
}

/** Positions of the order statistics that enclose a quantile of `count` draws with 95 % confidence. */
export function quantileRanks(p: number, count: number): { rank: number; lower: number; upper: number } {
  const clamp = (rank: number): number => Math.min(count - 1, Math.max(0, rank));
  const half = Z95 * Math.sqrt(count * p * (1 - p)) + 1;
  return {
    rank: clamp(Math.ceil(p * count) - 1),
    lower: clamp(Math.floor(p * count - half)),
    upper: clamp(Math.ceil(p * count + half)),
  };
}
