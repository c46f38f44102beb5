import { type Atoms, type ColumnAtoms, createAtoms } from "../distribution/atoms.ts";
import { ConformantError, show } from "../errors.ts";
import type { OtherFactors } from "../gaussian/class-prior.ts";
import type { AtomColumns, ClassWeights, FitKernels } from "../kernels/kernels.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { type ColumnMarginal, type Marginals, observedWeight } from "../schema/marginals.ts";

/**
 * Naive conformant learning as a convex problem in u = log q, one number per atom (section 3 of the mathematics):
 *
 *     minimise  T·log Σ_k exp( b_k + Σ_i log Z_ki(u) ) + Σ_i d_i Σ_k log Z_ki(u) − Σ_iv m_iv u_iv
 *
 * with log Z_ki(u) = log Σ_v e^{u_iv + s_kiv}. Without pseudo-count T = 1, d = 0 and m is the data's marginals f. With
 * pseudo-count c, N rows and N_i rows that have column i: T = 1 + Kc/N, m_iv = f_iv + Kc/N_i, d_i = c·V_i/N_i − c/N.
 */
export interface ConformProblem extends TiltedAtoms {
  /** b, K numbers. */
  readonly intercept: Float64Array;
  /** m, one per atom. */
  readonly target: Float64Array;
  /** d, one per column. */
  readonly smoothing: Float64Array;
  /** T. */
  readonly total: number;
  /** Factors beside the atoms, where there are any: they are minimised over as well, in closed form given P(k). */
  readonly others?: OtherFactors;
}

/** Reduces a classifier and the marginals of some data to the numbers that the solver needs. */
export function reduce(classifier: ClassTilt, marginals: Marginals, pseudocount: number): ConformProblem {
  if (!(marginals.rows > 0)) {
    throw new ConformantError("empty-data", `conform needs rows to learn from, got ${marginals.rows}`);
  }
  marginals.columns.forEach((marginal, i) => {
    if (!(observedWeight(marginal) > 0)) throw emptyColumn(classifier.schema.columns[i].name);
  });
  const atoms = createAtoms(classifier, marginals.columns.map(columnAtoms));
  rejectOverflow(classifier, atoms);
  const counts = Float64Array.from(marginals.columns.flatMap((marginal) => [...marginal.counts]));
  const { intercept } = classifier;
  return poseProblem(tiltAtoms(atoms, intercept.length), intercept, counts, marginals.rows, pseudocount);
}

/**
 * The problem for given counts of the atoms.
 *
 * @param counts one per atom; every column's must have a positive sum
 */
export function poseProblem(
  { atoms, tilts }: TiltedAtoms,
  intercept: Float64Array,
  counts: Float64Array,
  rows: number,
  pseudocount: number,
): ConformProblem {
  const K = intercept.length;
  const target = new Float64Array(counts.length);
  const smoothing = new Float64Array(atoms.columns.length);
  for (let i = 0; i < smoothing.length; i++) {
    const [start, end] = [atoms.offsets[i], atoms.offsets[i + 1]];
    let observed = 0;
    for (let j = start; j < end; j++) observed += counts[j];
    for (let j = start; j < end; j++) target[j] = (counts[j] + K * pseudocount) / observed;
    smoothing[i] = Math.max(0, (pseudocount * (end - start)) / observed - pseudocount / rows);
  }
  return { atoms, tilts, intercept, target, smoothing, total: 1 + (K * pseudocount) / rows };
}

/** Scores up to this size can be subtracted from each other twice. */
const LARGEST_SCORE = Number.MAX_VALUE / 4;

/** Throws where a weight times a value of its column is beyond what numbers hold. */
function rejectOverflow({ schema, intercept }: ClassTilt, { columns, offsets, scores }: Atoms): void {
  const at = scores.findIndex((score) => !(Math.abs(score) <= LARGEST_SCORE));
  if (at < 0) return;
  const column = schema.columns[columns.findIndex((_, i) => at < offsets[i + 1] * intercept.length)].name;
  const message = `the weights of column ${show(column)} times its values must be below ${LARGEST_SCORE.toPrecision(2)}, got ${scores[at]}`;
  throw new ConformantError("invalid-value", message, { column });
}

function columnAtoms(marginal: ColumnMarginal): ColumnAtoms {
  if (marginal.kind === "discrete") return { count: marginal.counts.length };
  return { count: marginal.values.length, values: marginal.values, edges: marginal.edges };
}

function emptyColumn(column: string): ConformantError {
  const message = `column ${show(column)} has no value in any row, so nothing is known about its distribution`;
  return new ConformantError("empty-column", message, {
    column,
    hint: "fit with data that has the column, or a classifier without it",
  });
}

/** What the classifier's scores multiply probabilities by: the same whatever the probabilities are. */
export interface Tilts {
  /** K, and one more where it is odd: the classes of an atom stand in lanes of two. */
  readonly lanes: number;
  /** e^{s_k(v)}: atoms × lanes, 1 where there is no class. */
  readonly factors: Float64Array;
  /** Columns that have scores too large for factors, ascending; their factors are 1. */
  readonly steep: Int32Array;
}

/** Atoms and what scores do to their probabilities. */
export interface TiltedAtoms {
  readonly atoms: Atoms;
  readonly tilts: Tilts;
}

/** e to this power and to its negative are numbers whose sums and products lose nothing. */
const STEEP = 300;

/** Atoms with their tilts for K classes. */
export function tiltAtoms(atoms: Atoms, K: number): TiltedAtoms {
  const { columns, offsets, scores } = atoms;
  const lanes = K + (K % 2);
  const factors = new Float64Array(offsets[columns.length] * lanes).fill(1);
  const isSteep = (i: number): boolean => {
    for (let at = offsets[i] * K; at < offsets[i + 1] * K; at++)
      if (!(Math.abs(scores[at]) <= STEEP)) return true;
    return false;
  };
  const steep: number[] = [];
  for (let i = 0; i < columns.length; i++) {
    if (isSteep(i)) {
      steep.push(i);
      continue;
    }
    for (let j = offsets[i]; j < offsets[i + 1]; j++)
      for (let k = 0; k < K; k++) factors[j * lanes + k] = Math.exp(scores[j * K + k]);
  }
  return { atoms, tilts: { lanes, factors, steep: Int32Array.from(steep) } };
}

/** A problem whose numbers stand where the kernels find them. */
export interface HeldProblem extends ConformProblem {
  readonly kernels: FitKernels;
  readonly columns: AtomColumns;
  /** e^{s_k(v)}, atoms × lanes. */
  readonly factors: Float64Array;
  /** ω_ki; the shares are those of the prior that was last looked at. */
  readonly weights: ClassWeights;
}

/** Lays out a problem for kernels. */
export function holdProblem(problem: ConformProblem, kernels: FitKernels): HeldProblem {
  const { atoms, tilts, intercept, target, smoothing } = problem;
  const { lanes, factors } = tilts;
  const offsets = kernels.integers(atoms.offsets.length);
  offsets.set(atoms.offsets);
  return {
    ...problem,
    kernels,
    columns: { offsets, lanes },
    factors: kernels.hold(factors),
    weights: {
      shares: kernels.numbers(lanes).fill(0),
      ones: kernels.numbers(lanes).fill(0).fill(1, 0, intercept.length),
      smoothing: kernels.hold(smoothing),
    },
    target: kernels.hold(target),
  };
}

/** Numbers that {@link holdProblem} needs. */
export function roomToHold({ target, smoothing, tilts: { lanes, factors } }: ConformProblem): number {
  return factors.length + target.length + 2 * smoothing.length + 2 * lanes + ALIGNMENTS;
}

/** What arrays may lose between each other, all of them together. */
const ALIGNMENTS = 64;

/** Settings of the fit, with their defaults and reasons in one place. */
export interface ConformSettings {
  /**
   * Pseudo-count c added to every count, per class, as in the authors' code. With 0 a value that never occurs gets
   * probability 0. Default 1.
   */
  readonly pseudocount: number;
  /** Stop when no smoothed marginal is off by more than this share of its column's. Default 1e-11. */
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
