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
  /**
   * Of one component of atoms: Σ_i Σ_v f_i(v) log q_i(v) − log Z, with f the data's shares, the mean log-likelihood of rows without the
   * classifier's part log Σ_k exp(score_k), which no fit changes.
   */
  readonly logLikelihood?: number;
  /** Where the model is a mixture fitted by EM. */
  readonly mixture?: {
    /** Mean log-likelihood of the rows, with the prior's part, at the start and after each step. */
    readonly objective: readonly number[];
    /** Components that ran empty and were left out. */
    readonly dropped: number;
  };
  /** Where size and kind were chosen by held-out rows. */
  readonly choice?: ChoiceOfMixture;
  /** Where numeric columns are described by a Gaussian. */
  readonly gaussian?: {
    /** The columns of the Gaussian. */
    readonly columns: readonly string[];
    /** The rank of its covariances, where they are of low rank plus diagonal. */
    readonly rank?: number;
    /** Largest difference of a component's mean or covariance from the one to be matched, in standard deviations. */
    readonly momentMismatch: number;
    /** The ridge: variance added, as a share of the column's variance over all rows. */
    readonly ridge: number;
    /** Columns that are constant or follow from the ones before them, which only the ridge keeps regular. */
    readonly singular: readonly string[];
    /** Components with fewer rows than the Gaussian has columns, which only shrinkage and ridge keep regular. */
    readonly fewRows: number;
  };
}

/** The certificate of parameters that were handed in. */
export const GIVEN: Certificate = {
  status: "given",
  iterations: 0,
  decrement: 0,
  marginalMismatch: 0,
  conformityError: 0,
};

/** How the size of a mixture and what describes its numbers were chosen. */
export interface ChoiceOfMixture {
  /** All candidates, in the order in which they were tried. */
  readonly curve: readonly HeldOutScore[];
  /** The position in the curve of the one that was chosen: the smallest within a standard error of the best. */
  readonly chosen: number;
  /** Parts of the rows, each held out once; 1 where one part was held out. */
  readonly folds: number;
  /** Held-out rows that the candidates were scored on. */
  readonly rows: number;
  /** Masks under which each of them was scored; 0 where too few were complete and the likelihood decided. */
  readonly masks: number;
  /** The next sizes, where the search ended before them. */
  readonly untried: readonly {
    readonly components: number;
    readonly gaussian: readonly string[];
    readonly rank?: number;
  }[];
  /** Whether the time limit ended the search, so that another machine may choose otherwise. */
  readonly timedOut?: true;
}

/** A candidate and how well it does on rows that it has not seen. */
export interface HeldOutScore {
  readonly components: number;
  /**
   * With cells of held-out rows hidden: the mean cross entropy of the candidate's answers to the classifier's own answer to the
   * whole row. Absent where too few rows were complete.
   */
  readonly crossEntropy?: number;
  /** Of a number instead: the mean squared difference from the whole row's answer, as a share of the variance of these answers. */
  readonly squaredError?: number;
  /** Of the cross entropy or squared error, over the rows. */
  readonly standardError?: number;
  /** How far it is from the lowest, on the same rows and masks. */
  readonly behind?: { readonly mean: number; readonly standardError: number };
  /** Mean log-likelihood of the held-out rows, over their known columns. */
  readonly logLikelihood: number;
  /** Where the kind of the numeric columns was chosen too: the columns with a Gaussian; empty where all have atoms. */
  readonly gaussian?: readonly string[];
  /** The rank of its covariances, where they are of low rank plus diagonal. */
  readonly rank?: number;
  /** Where the atoms of numbers were chosen, too: how many each may have. */
  readonly bins?: number;
}
