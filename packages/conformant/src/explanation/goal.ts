import { logit } from "../math/softmax.ts";
import { classScores, type Evidence, logJointOfAll, logOddsOf } from "../predictors/additive-evidence.ts";
import { type Decision, decide, TIE } from "../predictors/decision.ts";

/** What has to be kept of a prediction: the decision, or where there is a threshold that probability of its class. */
export interface Kept {
  readonly decision: Decision;
  readonly threshold: number | undefined;
}

/** Whether expected responses, K numbers, keep it. */
export function isKept(values: Float64Array, { decision: { class: c, tied }, threshold }: Kept): boolean {
  if (threshold !== undefined) return values[c] >= threshold - TIE;
  const now = decide(values);
  return now.class === c || (tied.length > 0 && now.tied.includes(c));
}

/**
 * What a set of features must keep: the decision (its class above every other), or a probability of its class. Both are
 * lower bounds on log-odds of class c:
 *
 *     decision      log P(c | S) − log P(r | S) ≥ least       for every other class r
 *     probability   log P(c | S) − log P(not c | S) ≥ least
 */
export interface Goal {
  readonly kind: "decision" | "probability";
  /** c, the class of the decision. */
  readonly class: number;
  readonly least: number;
}

/**
 * Keeping a decision means staying strictly above every other class (the paper's sgn(E − ½) = sgn(F − ½)), strict beyond
 * rounding. A tie, also one that rounding hides, has no strict winner to keep: there the class must stay as near the top as it
 * is with everything known. A threshold has to be reached up to rounding.
 */
export function goalOf(evidence: Evidence, { decision: { class: c, tied }, threshold }: Kept): Goal {
  const { rounding } = evidence;
  if (threshold !== undefined) return { kind: "probability", class: c, least: logit(threshold) - rounding };
  const lead = leadOf(classScores(evidence, logJointOfAll(evidence)), c);
  const strict = tied.length === 0 && lead >= rounding;
  return { kind: "decision", class: c, least: strict ? rounding : Math.min(0, lead) - rounding };
}

/** By how much the goal is exceeded: the set keeps it if this is 0 or more. */
export function slackOf(goal: Goal, evidence: Evidence, logJoint: Float64Array): number {
  const scores = classScores(evidence, logJoint);
  const c = goal.class;
  if (goal.kind === "probability") return logOddsOf(scores, c) - goal.least;
  return leadOf(scores, c) - goal.least;
}

/** By how much the score of class c is above that of every other class. */
function leadOf(scores: Float64Array, c: number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < scores.length; k++) if (k !== c && scores[k] > best) best = scores[k];
  return scores[c] - best;
}
