import type { Classifier } from "../../classifier/classifier.ts";
import { ConformantError, show } from "../../errors.ts";
import { type ColumnMarginal, type Marginals, observedWeight } from "../../marginals/marginals.ts";
import { type Atoms, type ColumnAtoms, createAtoms } from "../../model/atoms.ts";
import type { OtherFactors } from "./other-factors.ts";
import { type TiltedAtoms, tiltAtoms } from "./tilts.ts";

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
export function reduce(classifier: Classifier, marginals: Marginals, pseudocount: number): ConformProblem {
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
function rejectOverflow({ schema, classes }: Classifier, { columns, offsets, scores }: Atoms): void {
  const at = scores.findIndex((score) => !(Math.abs(score) <= LARGEST_SCORE));
  if (at < 0) return;
  const column = schema.columns[columns.findIndex((_, i) => at < offsets[i + 1] * classes.length)].name;
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
