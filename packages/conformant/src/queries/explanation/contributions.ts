import { logistic } from "../../math/exponential/logistic.ts";
import type { Schema } from "../../schema/column.ts";
import { cell, type Row, type Value } from "../../schema/data.ts";
import { addFeature, classScores, type Evidence, logJointOf, logJointOfAll, logOddsOf } from "./evidence.ts";

/** What one known feature does to the probability of the predicted class c. */
export interface Contribution {
  /** The column, or the group of columns. */
  readonly column: string;
  /** As it stands in the row; an object of the known columns for a group. */
  readonly value: Value | Readonly<Record<string, Value>>;
  /**
   * Log-odds of c with the whole row minus log-odds without this feature. Two classes and one component: its term in the
   * sum that leads from the prior to the prediction; otherwise features interact and these need not add up.
   */
  readonly logOdds: number;
  /** P(c | row) − P(c | row without this feature). */
  readonly probability: number;
}

/** A step of the way from the prior to the prediction. */
export interface Step {
  readonly column: string;
  /** How the step moves the log-odds of the predicted class; the steps add up to the whole way. */
  readonly logOdds: number;
  /** P(c) after the step. */
  readonly probability: number;
}

/**
 * Leave-one-out differences of the log-odds and the probability of class c, one pair per feature.
 *
 * @param look called before each feature
 */
export function leaveOneOut(
  evidence: Evidence,
  c: number,
  look: () => void = () => undefined,
): { logOdds: Float64Array; probability: Float64Array } {
  const n = evidence.features.length;
  const all = logJointOfAll(evidence);
  const full = logOddsOf(classScores(evidence, all), c);
  const certain = logistic(full);
  const rest = new Float64Array(evidence.outcomes);
  const logOdds = new Float64Array(n);
  const probability = new Float64Array(n);
  for (let f = 0; f < n; f++) {
    look();
    if (evidence.joint.features.has(f)) {
      const others = Array.from({ length: n }, (_, g) => g).filter((g) => g !== f);
      logOdds[f] = full - logOddsOf(classScores(evidence, logJointOf(evidence, others)), c);
    } else if (evidence.outcomes === 2) {
      // Two classes, one component: the term itself, free of the rounding of the long sum.
      logOdds[f] = evidence.terms[2 * f + c] - evidence.terms[2 * f + 1 - c];
    } else {
      rest.set(all);
      addFeature(evidence, rest, f, -1);
      logOdds[f] = full - logOddsOf(classScores(evidence, rest), c);
    }
    probability[f] = certain - logistic(full - logOdds[f]);
  }
  return { logOdds, probability };
}

/**
 * Adds the features one by one in the given order, starting from nothing known.
 *
 * @param look called before each feature
 */
export function pathOf(evidence: Evidence, c: number, order: readonly number[], look: () => void): Step[] {
  let logJoint: Float64Array = evidence.base.slice();
  let before = logOddsOf(classScores(evidence, logJoint), c);
  return order.map((f, at) => {
    look();
    if (evidence.joint.features.has(f)) logJoint = logJointOf(evidence, order.slice(0, at + 1));
    else addFeature(evidence, logJoint, f);
    const after = logOddsOf(classScores(evidence, logJoint), c);
    const step = {
      column: evidence.features[f].name,
      logOdds: after - before,
      probability: logistic(after),
    };
    before = after;
    return step;
  });
}

/** The value of a feature as it stands in the row. */
export function featureValue(
  schema: Schema,
  row: Row,
  { name, columns }: Evidence["features"][number],
): Contribution["value"] {
  if (columns.length === 1 && schema.columns[columns[0]].name === name) return cell(row, name);
  return Object.fromEntries(columns.map((i) => [schema.columns[i].name, cell(row, schema.columns[i].name)]));
}
