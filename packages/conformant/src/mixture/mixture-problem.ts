import type { TiltedAtoms } from "../conform/conform-problem.ts";
import { DEFAULT_BINS } from "../conform/count-marginals.ts";
import type { FactorInFit } from "../gaussian/factor-in-fit.ts";
import { GaussianInFit } from "../gaussian/fit-gaussian.ts";
import { frameOf, type GaussianFrame } from "../gaussian/frame.ts";
import { createGaussianColumns } from "../gaussian/gaussian.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import type { WeightedRows } from "../schema/rows.ts";

/** Rows to fit a mixture to, and how. */
export interface FitTask {
  readonly classifier: ClassTilt;
  readonly data: WeightedRows;
  readonly settings: MixtureSettings;
  /** Whether the fit is only compared with others by its predictions. Default false. */
  readonly rough?: boolean | undefined;
}

/** What describes the columns of a mixture. */
export interface Description extends FactorColumns {
  /** Atoms of a number at most; as many as the settings say where nothing is said. */
  readonly bins?: number;
}

/** The size of a mixture, and what describes its columns. */
export interface Shape extends Description {
  readonly components: number;
}

/** What is to be fitted. The rows themselves stay with whoever answers the expectation steps. */
export interface MixtureProblem extends FactorFrames, TiltedAtoms {
  readonly classifier: ClassTilt;
  /** The weight of all rows. */
  readonly totalWeight: number;
  /** Shares of the atoms in their column, over all rows: what components are shrunk towards. */
  readonly overall: Float64Array;
  /** M, as asked for. */
  readonly components: number;
  readonly settings: MixtureSettings;
  /** Whether it is only to be compared with others: then it ends without exact M-steps. */
  readonly rough?: boolean;
  /** What steps before these gained, where they go on from an earlier fit: the measure of a small gain. Default 0. */
  readonly gainedBefore?: number;
}

/** Atoms × K² beyond which a step of Newton's method costs more than the rows that it saves a pass over. */
const COSTLY = 250_000;

/** What a step of Newton's method costs: atoms × K². */
export function stepCost({ atoms, classifier }: Pick<MixtureProblem, "atoms" | "classifier">): number {
  return atoms.offsets[atoms.columns.length] * classifier.intercept.length ** 2;
}

/** Whether the M-step takes most of the time: hundreds of columns of numbers and several classes. */
export function isCostly(cost: number): boolean {
  return cost > COSTLY;
}

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
   * Variance added to every column of a Gaussian, as a share of the column's variance over all rows (of its square,
   * or 1, where it is constant), for a component of average weight: it keeps duplicate and constant columns and components
   * with fewer rows than columns regular. Part of the prior too. Default 1e-6, at least 1e-10.
   */
  readonly ridge: number;
  /** Atoms per numeric column at most, as in the paper's method; where they make steps costly fewer are compared. Default 32. */
  readonly bins: number;
  /** Stop when a step gains less than this share of all that the steps gained so far. Default 0.001. */
  readonly tolerance: number;
  /** EM steps before the fit is given back as not converged. Default 200. */
  readonly maxIterations: number;
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
  maxIterations: 200,
  restarts: 1,
  seed: 0,
};

/** What is known of the factors beside the atoms before a fit begins: numbers that can be handed to another thread or written to a file. */
export interface FactorFrames {
  /** Of a Gaussian: the Gaussian with the moments of all rows. */
  readonly frame?: GaussianFrame | undefined;
}

/** Positions of the columns that factors beside the atoms describe, a list per kind; all other columns have atoms. */
export interface FactorColumns {
  /** Those with a Gaussian. */
  readonly gaussianColumns: readonly number[];
  /** The rank of its covariances, where they are of low rank plus diagonal. */
  readonly rank?: number;
}

/** The factors of a mixture beside the atoms. With {@link framesOf} the one place of a fit that knows which kinds there are. */
export function factorsInFit({ frame }: FactorFrames): readonly FactorInFit[] {
  return frame ? [new GaussianInFit(frame)] : [];
}

/** The frames among other things. */
export function framesIn({ frame }: FactorFrames): FactorFrames {
  return frame ? { frame } : {};
}

/** The columns among other things. */
export function columnsIn({ gaussianColumns, rank }: FactorColumns): FactorColumns {
  return { gaussianColumns, ...(rank !== undefined && { rank }) };
}

/** Whether any column has another description than atoms. */
export function hasFactors({ gaussianColumns }: FactorColumns): boolean {
  return gaussianColumns.length > 0;
}

/** The columns by name, as a certificate has them. */
export function namesIn(
  { schema }: Pick<ClassTilt, "schema">,
  { gaussianColumns, rank }: FactorColumns,
): { readonly gaussian: string[]; readonly rank?: number } {
  return {
    gaussian: gaussianColumns.map((i) => schema.columns[i].name),
    ...(rank !== undefined && { rank }),
  };
}

/** Looks at the rows for what the factors need to know. */
export function framesOf(classifier: ClassTilt, data: WeightedRows, columns: FactorColumns): FactorFrames {
  const gaussianColumns = createGaussianColumns(classifier, columns.gaussianColumns);
  return gaussianColumns ? { frame: frameOf(gaussianColumns, data, columns.rank) } : {};
}

/**
 * The same factors, to score rows by the probability of their values as recorded instead of by densities.
 *
 * @param steps the size of the cells by position of the column
 */
export function framesAt({ frame }: FactorFrames, steps: readonly number[]): FactorFrames {
  return frame
    ? { frame: { ...frame, resolution: Float64Array.from(frame.gaussianColumns.columns, (i) => steps[i]) } }
    : {};
}
