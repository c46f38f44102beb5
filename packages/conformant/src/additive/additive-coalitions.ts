import { factorsOf, logPriors } from "../distribution/completion-space.ts";
import type { Distribution } from "../distribution/distribution.ts";
import type { Factor } from "../distribution/factor.ts";
import { logistic, softmaxInPlace } from "../math/softmax.ts";
import {
  addFeature,
  classScores,
  type Evidence,
  type JointEvidence,
  logJointOf,
  logJointOfAll,
  logOddsOf,
  NOTHING_JOINT,
} from "../predictors/additive-evidence.ts";
import type { Coalitions, Expected, FeatureSet, LeaveOneOut, SetValues } from "../predictors/expectation.ts";
import type { Feature } from "../predictors/features.ts";
import type { Cells } from "../schema/read-row.ts";

/** Relative error granted to a sum of terms: about a hundred units in the last place. */
const ROUNDING = 2 ** -46;

/** The evidence in a row under a distribution that carries class scores, by feature. */
export function evidenceOf(distribution: Distribution, row: Cells, features: readonly Feature[]): Evidence {
  const { tilt, components } = distribution;
  const K = tilt.intercept.length;
  const outcomes = components.length * K;
  const base = logPriors(distribution);
  const terms = new Float64Array(features.length * outcomes);
  const cells = row.slice();
  const factors = factorsOf(distribution);
  const dependent = factors.filter(({ independent }) => !independent);
  const joint = dependent.length === 0 ? NOTHING_JOINT : jointEvidence(dependent, cells, features, outcomes);
  let scale = 1 + joint.scale;
  for (const factor of factors) {
    if (!factor.independent) continue;
    for (let f = 0; f < features.length; f++)
      scale += factor.addEvidence(cells, features[f].columns, terms, f * outcomes);
  }
  return { K, outcomes, features, base, terms, joint, rounding: ROUNDING * scale };
}

/** The evidence of factors with dependent columns. */
function jointEvidence(
  factors: readonly Factor[],
  cells: Cells,
  features: readonly Feature[],
  outcomes: number,
): JointEvidence {
  const columns = new Set(factors.flatMap((factor) => factor.columns));
  const own = new Set(features.flatMap(({ columns: of }, f) => (of.some((i) => columns.has(i)) ? [f] : [])));
  if (own.size === 0) return NOTHING_JOINT;
  const together = (chosen: readonly number[]): { terms: Float64Array; scale: number } => {
    const known = chosen.flatMap((f) => features[f].columns);
    const terms = new Float64Array(outcomes);
    const scale = factors.reduce((sum, factor) => sum + factor.addEvidence(cells, known, terms, 0), 0);
    return { terms, scale };
  };
  const known = new Map<string, Float64Array>();
  const terms = (chosen: readonly number[]): Float64Array => {
    const given = chosen.filter((f) => own.has(f)).sort((a, b) => a - b);
    const key = given.join();
    const made = known.get(key) ?? together(given).terms;
    known.set(key, made);
    return made;
  };
  return { features: own, terms, scale: together([...own]).scale };
}

/** A table has up to this many sets × outcomes: a tenth of a second. */
const MOST_WORK = 1 << 22;
/** Sets of features that depend on each other, each of which takes a factorization per component. */
const MOST_JOINT_SETS = 1 << 10;

/**
 * The coalitions of an additive classifier under a distribution that carries its scores, exact for every set: features add up in
 * log P(m, k, y_S), except for those that depend on each other, which have one term for the set.
 */
export class AdditiveCoalitions implements Coalitions {
  readonly features: readonly Feature[];
  readonly sampled = false;
  readonly cost: number;
  readonly evidence: Evidence;
  readonly #all: Expected;
  readonly #before: () => void;

  /** @param all the answer with all features, to the last bit that of `predict` */
  constructor(
    distribution: Distribution,
    cells: Cells,
    features: readonly Feature[],
    all: Expected,
    before: () => void = () => undefined,
  ) {
    this.features = features;
    this.evidence = evidenceOf(distribution, cells, features);
    this.cost = this.evidence.outcomes;
    this.#all = all;
    this.#before = before;
  }

  value(set: FeatureSet): Expected {
    if (set.length === this.features.length) return this.#all;
    this.#before();
    const values = classScores(this.evidence, logJointOf(this.evidence, set));
    softmaxInPlace(values);
    return { values, standardError: 0 };
  }

  leaveOneOut(output: number): LeaveOneOut {
    const { evidence } = this;
    const { outcomes, terms, rounding } = evidence;
    const n = this.features.length;
    const joint = logJointOfAll(evidence);
    const full = this.#logOdds(joint, output);
    const rest = new Float64Array(outcomes);
    const [logOdds, values] = [new Float64Array(n), new Float64Array(n)];
    const sign = new Int8Array(n);
    for (let f = 0; f < n; f++) {
      this.#before();
      if (evidence.joint.features.has(f)) {
        const others = Array.from({ length: n }, (_, g) => g).filter((g) => g !== f);
        logOdds[f] = full - this.#logOdds(logJointOf(evidence, others), output);
      } else if (outcomes === 2) {
        // Two classes, one component: the term itself, free of the rounding of the long sum.
        logOdds[f] = terms[2 * f + output] - terms[2 * f + 1 - output];
      } else {
        rest.set(joint);
        addFeature(evidence, rest, f, -1);
        logOdds[f] = full - this.#logOdds(rest, output);
      }
      values[f] = logistic(full) - logistic(full - logOdds[f]);
      if (Math.abs(logOdds[f]) > rounding) sign[f] = Math.sign(logOdds[f]);
    }
    return { scores: logOdds, values, sign };
  }

  table(output: number): SetValues | undefined {
    const { evidence } = this;
    const n = this.features.length;
    const all = Array.from({ length: n }, (_, f) => f);
    const together = all.filter((f) => evidence.joint.features.has(f));
    const apart = all.filter((f) => !evidence.joint.features.has(f));
    if (2 ** n * evidence.outcomes > MOST_WORK || 2 ** together.length > MOST_JOINT_SETS) return undefined;
    const logOdds = new Float64Array(2 ** n);
    const descend = (at: number, set: number, logJoint: Float64Array): void => {
      if (at === apart.length) {
        logOdds[set] = this.#logOdds(logJoint, output);
        return;
      }
      descend(at + 1, set, logJoint);
      const more = logJoint.slice();
      addFeature(evidence, more, apart[at]);
      descend(at + 1, set | (1 << apart[at]), more);
    };
    for (let chosen = 0; chosen < 2 ** together.length; chosen++) {
      const known = together.filter((_, j) => (chosen >> j) & 1);
      const set = known.reduce((bits, f) => bits | (1 << f), 0);
      descend(0, set, logJointOf(evidence, known));
    }
    return { scores: logOdds };
  }

  along(order: ArrayLike<number>, output: number): SetValues {
    const { evidence } = this;
    const known: number[] = [];
    let logJoint = logJointOf(evidence, []);
    const logOdds = new Float64Array(order.length + 1);
    logOdds[0] = this.#logOdds(logJoint, output);
    for (let j = 0; j < order.length; j++) {
      this.#before();
      known.push(order[j]);
      if (evidence.joint.features.has(order[j])) logJoint = logJointOf(evidence, known);
      else addFeature(evidence, logJoint, order[j]);
      logOdds[j + 1] = this.#logOdds(logJoint, output);
    }
    return { scores: logOdds };
  }

  #logOdds(logJoint: Float64Array, output: number): number {
    return logOddsOf(classScores(this.evidence, logJoint), output);
  }
}
