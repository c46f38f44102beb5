import type { CoverRelaxation } from "./cover-relaxation.ts";

/** What prices say about a covering problem. */
export interface PricedItems {
  /** No solution within the bounds of the items has fewer items than this. */
  readonly bound: number;
  /** Σ_r λ_r gain_rj − 1 per item: deciding an item against its sign raises the bound by its size. */
  readonly saving: Float64Array;
}

/**
 * The bound that any prices λ ≥ 0 of the rows prove, computed from the problem itself, so that it holds whatever rounding
 * the prices went through (Lagrangian duality):
 *
 *     Σ_r λ_r need_r − Σ_{j taken} saving_j − Σ_{j open} max(0, saving_j)
 */
export function priceItems(
  gains: readonly Float64Array[],
  needs: readonly number[],
  prices: Float64Array,
  { lower, upper }: Pick<CoverRelaxation, "lower" | "upper">,
): PricedItems {
  const saving = new Float64Array(lower.length).fill(-1);
  let bound = 0;
  for (let r = 0; r < prices.length; r++) {
    if (prices[r] === 0) continue;
    bound += prices[r] * needs[r];
    for (let j = 0; j < saving.length; j++) saving[j] += prices[r] * gains[r][j];
  }
  for (let j = 0; j < saving.length; j++) {
    if (lower[j] === 1 || (upper[j] === 1 && saving[j] > 0)) bound -= saving[j];
  }
  return { bound, saving };
}
