import { newton } from "./newton.ts";
import type { ConformProblem } from "./problem.ts";
import { tiltAtoms } from "./tilts.ts";

/** Scores of one column that differ by more than this between classes make the problem too stiff to start from afar. */
const GENTLE_SPREAD = 8;
/** Scores beyond this keep no digit behind the point, and are brought down to it at once: 1e89 would take hundreds of halvings. */
const STEEP_SPREAD = 2 ** 52;
/** The problem with halved scores only has to be solved roughly. */
const ROUGHLY = { tolerance: 1e-3, maxIterations: 50 };

/**
 * Where Newton's method starts. With gentle scores: log q_v = log m_v − mean_k s_kv, which is right when all classes are
 * equally likely and the scores are small. With large ones: from the solution for scores of half the size, since
 * log q − log m grows in proportion to the scores once they are large.
 *
 * @param beforeStep called before each step of these solutions
 */
export function startingPoint(problem: ConformProblem, beforeStep?: () => void): Float64Array {
  const { atoms, intercept, target } = problem;
  const K = intercept.length;
  const spread = largestSpread(problem);
  if (spread <= GENTLE_SPREAD) {
    return target.map((mass, j) => {
      let mean = 0;
      for (let k = 0; k < K; k++) mean += atoms.scores[j * K + k] / K;
      return Math.log(mass) - (mass > 0 ? mean : 0);
    });
  }
  const factor = Math.max(2, spread / STEEP_SPREAD);
  const gentler = {
    ...problem,
    intercept: intercept.map((b) => b / factor),
    ...tiltAtoms({ ...atoms, scores: atoms.scores.map((s) => s / factor) }, K),
    ...(problem.others && { others: problem.others.gentler(factor) }),
  };
  const { u } = newton(gentler, { ...ROUGHLY, beforeStep }, startingPoint(gentler, beforeStep));
  return u.map((x, j) => (target[j] > 0 ? factor * x - (factor - 1) * Math.log(target[j]) : x));
}

/** Largest difference between the scores of two classes on one atom, less that of another atom of the column. */
function largestSpread({ atoms, intercept }: ConformProblem): number {
  const K = intercept.length;
  let largest = 0;
  for (let i = 0; i < atoms.columns.length; i++) {
    for (let k = 1; k < K; k++) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let j = atoms.offsets[i]; j < atoms.offsets[i + 1]; j++) {
        const difference = atoms.scores[j * K + k] - atoms.scores[j * K];
        least = Math.min(least, difference);
        most = Math.max(most, difference);
      }
      largest = Math.max(largest, most - least);
    }
  }
  return largest;
}
