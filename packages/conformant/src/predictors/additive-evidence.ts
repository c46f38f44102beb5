import type { Feature } from "./features.ts";

/**
 * What every known feature of a row adds to the log joint of component and class:
 *
 *     L_mk(S) = log P(m, k, y_S) = base_mk + Σ_{i ∈ S} term_imk
 *
 * with base_mk = log π_m + log P_m(k) and term_imk = log P_m(y_i | k), so the answer for any subset S of the known features is
 * one addition per feature. Constants that all (m, k) share are left out. What features say whose columns depend on each other
 * is no sum: it is `joint`.
 */
export interface Evidence {
  /** Number of classes. */
  readonly K: number;
  /** Number of outcomes (m, k), M·K; outcome m·K + k. */
  readonly outcomes: number;
  readonly features: readonly Feature[];
  /** M × K, `base[m * K + k]`. */
  readonly base: Float64Array;
  /** features × M × K, `terms[f * outcomes + m * K + k]`. */
  readonly terms: Float64Array;
  /** What features say together that do not add up, if there are such. */
  readonly joint: JointEvidence;
  /** Differences of sums of these terms that are no larger than this are rounding: they count as 0. */
  readonly rounding: number;
}

/** Adds `sign` times what feature f contributes by itself to a log joint (M × K), in place; not what it says jointly with others. */
export function addFeature(
  { outcomes, terms }: Evidence,
  logJoint: Float64Array,
  f: number,
  sign: 1 | -1 = 1,
): void {
  const at = f * outcomes;
  for (let a = 0; a < outcomes; a++) logJoint[a] += sign * terms[at + a];
}

/** L_mk(S), M × K, for the features with the given indices. */
export function logJointOf(evidence: Evidence, features: readonly number[]): Float64Array {
  const logJoint = evidence.base.slice();
  for (let j = 0; j < features.length; j++) addFeature(evidence, logJoint, features[j]);
  addTogether(evidence.joint, logJoint, features);
  return logJoint;
}

/** L_mk of all features, M × K. */
export function logJointOfAll(evidence: Evidence): Float64Array {
  const logJoint = evidence.base.slice();
  for (let f = 0; f < evidence.features.length; f++) addFeature(evidence, logJoint, f);
  addTogether(evidence.joint, logJoint, [...evidence.joint.features]);
  return logJoint;
}

function addTogether(joint: JointEvidence, logJoint: Float64Array, features: readonly number[]): void {
  if (joint.features.size === 0) return;
  const terms = joint.terms(features);
  for (let a = 0; a < logJoint.length; a++) logJoint[a] += terms[a];
}

/** log Σ_m exp L_mk: the classes' scores, K numbers. */
export function classScores({ K, outcomes }: Evidence, logJoint: Float64Array): Float64Array {
  if (outcomes === K) return logJoint;
  const scores = new Float64Array(K);
  for (let k = 0; k < K; k++) scores[k] = logSumStride(logJoint, k, K);
  return scores;
}

/** log Σ exp over the entries start, start + stride, … */
function logSumStride(x: Float64Array, start: number, stride: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let at = start; at < x.length; at += stride) if (x[at] > largest) largest = x[at];
  if (largest === Number.NEGATIVE_INFINITY) return largest;
  let sum = 0;
  for (let at = start; at < x.length; at += stride) sum += Math.exp(x[at] - largest);
  return largest + Math.log(sum);
}

/** log P(c) / P(not c) from the classes' scores. */
export function logOddsOf(scores: Float64Array, c: number): number {
  if (scores.length === 2) return scores[c] - scores[1 - c];
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < scores.length; k++) if (k !== c && scores[k] > largest) largest = scores[k];
  let sum = 0;
  for (let k = 0; k < scores.length; k++) if (k !== c) sum += Math.exp(scores[k] - largest);
  return scores[c] - largest - Math.log(sum);
}

/** What features say whose columns depend on each other: one term for the set, not one per feature. */
export interface JointEvidence {
  /** The features that have such columns; there may be none. */
  readonly features: ReadonlySet<number>;
  /** log P_m(y_S | k) of such columns in the listed features, M × K, up to what all (m, k) share; others are passed over. */
  readonly terms: (features: readonly number[]) => Float64Array;
  /** The size of the numbers whose differences the terms are. */
  readonly scale: number;
}

/** Nothing that is said jointly. */
export const NOTHING_JOINT: JointEvidence = {
  features: new Set(),
  terms: () => new Float64Array(0),
  scale: 0,
};
