import type { Imputation } from "conformant";
import { mixtureBetween } from "conformant/internal";

/** How likely a number is to lie in each of the pieces with the given ends. */
export function likelyShares(ends: readonly number[], likely: Imputation): ArrayLike<number> {
  if (likely.kind === "discrete") return Object.values(likely.probabilities);
  const { density, probabilities } = likely;
  if (!density) return probabilities;
  return ends.slice(1).map((end, piece) => mixtureBetween(density, ends[piece], end));
}
