/** Settings of the fit, with their defaults and reasons in one place. */
export interface ConformSettings {
  /**
   * Pseudo-count c added to every count, per class, as in the authors' code. With 0 a value that never occurs gets
   * probability 0. Default 1.
   */
  readonly pseudocount: number;
  /** Stop when no smoothed marginal is off by more than this. Default 1e-11. */
  readonly tolerance: number;
  /** Newton steps before the fit is given back as not converged. Default 500; the paper's problems need 4 to 6. */
  readonly maxIterations: number;
  /** Seed of the random rows of the conformity check. Default 0. */
  readonly seed: number;
}

export const defaultSettings: ConformSettings = {
  pseudocount: 1,
  tolerance: 1e-11,
  maxIterations: 500,
  seed: 0,
};
