/**
 * What is known about a fit. A fit that did not converge is returned with this status and its residuals, never as if it
 * had: check `status`, or the residuals against what you need.
 */
export interface Certificate {
  /** "given": the parameters were not fitted but handed in, or are a closed form. */
  readonly status: "converged" | "iteration-limit" | "stalled" | "given";
  readonly iterations: number;
  /** Newton decrement gᵀH⁻¹g at the end: twice the distance to the optimum in mean log-likelihood, to second order. */
  readonly decrement: number;
  /** Largest |Σ_k P(k) P(v | k) − f(v)| over all columns and values, after smoothing. */
  readonly marginalMismatch: number;
  /** Largest difference between the classifier and P(k | x) computed from the naive Bayes parameters, on random rows. */
  readonly conformityError: number;
  /** Where the model is a mixture fitted by EM. */
  readonly mixture?: {
    /** Mean log-likelihood of the rows, with the prior's part, at the start and after each step. */
    readonly objective: readonly number[];
    /** Components that ran empty and were left out. */
    readonly dropped: number;
    /** Where the size was chosen: mean log-likelihood of held-out rows by number of components. */
    readonly heldOut?: readonly { readonly components: number; readonly logLikelihood: number }[];
  };
}
