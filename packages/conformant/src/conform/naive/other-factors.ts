/**
 * Factors beside the atoms, as the problem of the atoms sees them. Whatever P(k) is, their best parameters under it are known, so
 * that P(k) is all that is left to be found of them.
 */
export interface OtherFactors {
  /**
   * P(k) with these factors at their best.
   *
   * @param logits of the intercept and the atoms, K numbers
   * @param near the prior of a problem like this one, to try first
   */
  solvePrior(logits: Float64Array, near?: ClassPrior): ClassPrior;
  /** The same factors with all scores of the classifier divided by `divisor`. */
  gentler(divisor: number): OtherFactors;
}

/** The class prior of a component that has such factors. */
export interface ClassPrior {
  /** p, K numbers. */
  readonly prior: Float64Array;
  /** The factors' part of the objective and log Z in one. */
  readonly value: number;
  /** R with R Rᵀ = dp/dℓ, K × K: how the prior answers to the logits. */
  readonly response: Float64Array;
  /** Largest |p_k − softmax_k( ℓ + log Z(p) )|: how far p is from solving its equation. */
  readonly residual: number;
}
