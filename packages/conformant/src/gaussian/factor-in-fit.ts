import type { Certificate } from "../distribution/certificate.ts";
import type { Component, ComponentParts, DistributionParts } from "../distribution/distribution.ts";
import type { Random } from "../math/random.ts";
import type { Schema } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import type { OtherFactors } from "./class-prior.ts";
import type { GaussianMoments } from "./moments.ts";
import type { ScoringContext } from "./patterns.ts";

/** What factors beside the atoms want summed up over the rows, a list of M per factor; sums of different rows add. */
export interface FactorSums {
  /** Of a Gaussian: its expected moments about the origin of its frame. */
  readonly moments?: readonly GaussianMoments[];
}

/**
 * What a factor beside the atoms does while a mixture is fitted: it lays out its cells of the rows, takes part in the E-step with
 * scores and sums, and in the M-step with the parameters that fit the sums best. The steps loop over these factors and know no
 * more of them than this.
 *
 * Shapes: M components, K classes, n columns of the factor; its cells of some rows are rows × n.
 */
export interface FactorInFit {
  /** Positions of its columns in the schema, ascending. */
  readonly columns: readonly number[];
  /** Numbers of each component that are free. */
  readonly parameters: number;
  /** Rows that the prior gives each component for one that it gives to atoms alone. */
  readonly priorRows: number;
  /** Rows with independent columns beside those there are that make the best estimate over all rows. */
  readonly independentRows: number;
  /** What a model keeps of it, besides what its components do. */
  readonly ofModel: DistributionParts;

  /** Its cells of some rows, NaN for a gap. */
  cellsOf(table: Table, rows: ArrayLike<number>): Float64Array;
  /** The rows in the order that suits a pass over them best. */
  inOrder(table: Table, rows: Int32Array): Int32Array;
  /** Adds Σ_{i known} s_ki(y_i) of row r to the K scores that begin at `at`. */
  addClassScores(cells: Float64Array, r: number, scores: Float64Array, at: number): void;
  /** Its part of an E-step over rows with these cells. */
  expect(components: readonly Component[], cells: Float64Array, context: ScoringContext): FactorExpectation;

  /** A row among others: half the squared distance of two has expectation 1 per column for rows at random. NaN for a gap. */
  placeOf(table: Table, row: number): Float64Array;
  /** Sums for M components to begin with. */
  seed(M: number): FactorSeeds;

  /** What component m has to match: its rows and the prior's together. */
  target(sums: FactorSums, m: number, prior: FactorPrior): FactorTarget;
  /** The prior's part of the objective, of one component. */
  logPrior(component: Component, prior: FactorPrior): number;

  /** Whether a component's parameters are numbers at all. */
  isFinite(component: Component): boolean;
  /** Cells at random, as the classifier and as the parameters of the component see them. */
  cellsAtRandom(component: Component, generator: Random): CellsAtRandom;
  /** What is known about its fit. */
  certify(fit: FactorOutcome): Pick<Certificate, "gaussian">;
  /** Throws unless sums that were answered elsewhere have what it needs. */
  checkSums(sums: FactorSums): void;
}

/** A factor's part of an E-step over some rows, which come in order: scores on the way to the shares, sums on the way back. */
export interface FactorExpectation {
  /** Adds log q_m(x) of complete row r to M scores. */
  addDensities(scores: Float64Array, at: number, r: number): void;
  /** Adds what the known cells of row r say and the hidden ones are worth to M × K scores. */
  addScores(scores: Float64Array, at: number, r: number): void;
  /** Adds complete row r to the sums, by M shares. */
  addRow(shares: Float64Array, at: number, r: number): void;
  /** Adds row r with its gaps to the sums, by M × K shares. */
  addIncompleteRow(shares: Float64Array, at: number, r: number): void;
  /** @param weights of the rows that fell to each component, M numbers */
  sums(weights: Float64Array): FactorSums;
}

/** Sums that EM begins with: rows are added by a guess of their shares. */
export interface FactorSeeds {
  /** Adds row r of the cells to component m. */
  add(m: number, cells: Float64Array, r: number, weight: number): void;
  /** @param spread shares out what the M components have of one kind of number among them */
  sums(spread?: (own: readonly Float64Array[]) => readonly Float64Array[]): FactorSums;
}

/** What the prior adds to the sums of each component. */
export interface FactorPrior {
  /** So many rows with the overall mean and variances… */
  readonly rows: number;
  /** …of which this share have the overall correlations; the others have none. */
  readonly correlated: number;
  /** …and so many per class belong to the class. */
  readonly pseudocount: number;
  /** Times the scale of a column: added to its sum of squares. */
  readonly ridge: number;
}

/** What a component has to match. Given the class prior its parameters follow. */
export interface FactorTarget extends OtherFactors {
  /** The factor's part of the component that matches under a class prior. */
  match(prior: Float64Array): ComponentParts;
  /** How far a component is from it, in standard deviations. */
  mismatch(component: Component): number;
}

/** Some cells: w_k·x as the classifier has it, and log P(x | k) by the parameters, up to what all classes share; K numbers each. */
export interface CellsAtRandom {
  readonly scores: Float64Array;
  readonly logGivenClass: Float64Array;
}

/** What a fit came to, for a factor to say how well. */
export interface FactorOutcome {
  readonly schema: Schema;
  /** The weight of each component's rows. */
  readonly rows: readonly number[];
  readonly mismatch: number;
  readonly ridge: number;
}
