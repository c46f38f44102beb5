import { DEFAULT_BINS } from "../../marginals/count-marginals.ts";

/** Settings of a mixture's fit, with their defaults and reasons in one place. */
export interface MixtureSettings {
  /** Pseudo-count of the paper's method, shared out among the components. Default 1. */
  readonly pseudocount: number;
  /**
   * Rows' worth of the overall marginals added to each component, so that a small one stays sane. They are a prior and part
   * of the objective that EM raises. Default 1.
   */
  readonly shrinkage: number;
  /**
   * Variance added to every column of a Gaussian block, as a share of the column's variance over all rows (of its square,
   * or 1, where it is constant), for a component of average weight: it keeps duplicate and constant columns and components
   * with fewer rows than columns regular. Part of the prior too. Default 1e-6, at least 1e-10.
   */
  readonly ridge: number;
  /** Atoms per numeric column at most, as in the paper's method; where they make steps costly fewer are compared. Default 32. */
  readonly bins: number;
  /** Stop when a step gains less than this share of all that the steps gained so far. Default 0.001. */
  readonly tolerance: number;
  /** EM steps before the fit is given back as not converged. Default 200. */
  readonly maxSteps: number;
  /** Starts of which the best by objective is kept. Default 1. */
  readonly restarts: number;
  /** Seed of all that is random. Default 0. */
  readonly seed: number;
}

export const defaultMixtureSettings: MixtureSettings = {
  pseudocount: 1,
  shrinkage: 1,
  ridge: 1e-6,
  bins: DEFAULT_BINS,
  tolerance: 1e-3,
  maxSteps: 200,
  restarts: 1,
  seed: 0,
};
