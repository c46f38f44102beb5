import { LOG_IMPOSSIBLE } from "../../math/log-impossible.ts";
import { atomOf } from "../../model/atoms.ts";
import type { Model } from "../../model/model.ts";
import { slotOffsets } from "../../schema/column.ts";
import type { Table } from "../../schema/data.ts";
import { type BlockEvidence, blockEvidence } from "./block-evidence.ts";
import type { Feature } from "./features.ts";

/**
 * What every known feature of a row adds to the log joint of component and class:
 *
 *     L_mk(S) = log P(m, k, y_S) = base_mk + Σ_{i ∈ S} term_imk
 *
 * with base_mk = log π_m + log P_m(k) and term_imk = s_ki(y_i) + log q_mi(y_i) − log Z_mki, so the answer for any subset S
 * of the known features is one addition per feature. Constants that all (m, k) share are left out. Columns of a Gaussian block
 * are known together or not at all: what they add is `joint`.
 */
export interface Evidence {
  /** Number of classes. */
  readonly K: number;
  /** Number of cells (m, k), M·K; cell m·K + k. */
  readonly cells: number;
  readonly features: readonly Feature[];
  /** M × K, `base[m * K + k]`. */
  readonly base: Float64Array;
  /** features × M × K, `terms[f * cells + m * K + k]`. */
  readonly terms: Float64Array;
  /** With a Gaussian block: what the features with columns in it say together, which is no sum. */
  readonly joint?: BlockEvidence;
  /** Differences of sums of these terms that are no larger than this are rounding: they count as 0. */
  readonly rounding: number;
}

/** Relative error granted to a sum of terms: about a hundred units in the last place. */
const ROUNDING = 2 ** -46;

/** The evidence in row `r` of a table, one feature being one known column or a group of them. */
export function evidenceOf(model: Model, table: Table, r: number, features: readonly Feature[]): Evidence {
  const { classifier, components } = model;
  const K = classifier.classes.length;
  const cells = components.length * K;
  const slots = slotOffsets(classifier.schema);
  const base = new Float64Array(cells);
  components.forEach(({ logWeight, logPrior }, m) => {
    for (let k = 0; k < K; k++) base[m * K + k] = logWeight + logPrior[k];
  });
  const terms = new Float64Array(features.length * cells);
  const joint = blockEvidence(model, table, r, features);
  let scale = 1 + (joint?.scale ?? 0);
  for (let f = 0; f < features.length; f++) {
    for (const i of features[f].columns)
      if (!joint?.columns.has(i)) scale += addTerms(model, table, r, i, slots[i], terms, f * cells);
  }
  return { K, cells, features, base, terms, ...(joint && { joint }), rounding: ROUNDING * scale };
}

/** Adds the terms of column i, M × K from `at` on, and returns the size of the numbers whose difference they are. */
function addTerms(
  { classifier: { schema, weights, intercept }, atoms, components }: Model,
  table: Table,
  r: number,
  i: number,
  start: number,
  terms: Float64Array,
  at: number,
): number {
  const K = intercept.length;
  const { kind } = schema.columns[i];
  const x = table.columns[i][r];
  // s_k = factor · weights[slot]: x itself for numbers and bits, 1 for a value.
  const linear = kind === "numeric" || kind === "binary";
  const [slot, factor] = linear ? [start, x] : [start + x, 1];
  // One component: q is the same for all classes and cancels, also where it is 0.
  const atom = components.length > 1 ? atomOf(atoms, i, table.columns[i], r) : -1;
  let largest = 0;
  for (let m = 0; m < components.length; m++) {
    const { logQ, logZ } = components[m];
    const shared = atom < 0 ? 0 : Math.max(logQ[atom], LOG_IMPOSSIBLE);
    for (let k = 0; k < K; k++) {
      const score = factor * weights[slot * K + k];
      terms[at + m * K + k] += score - logZ[i * K + k] + shared;
      largest = Math.max(largest, Math.abs(score) + Math.abs(logZ[i * K + k]));
    }
  }
  return largest;
}

/** Adds `sign` times what feature f contributes by itself to a log joint (M × K), in place; not for features of a block. */
export function addFeature(
  { cells, terms }: Evidence,
  logJoint: Float64Array,
  f: number,
  sign: 1 | -1 = 1,
): void {
  const at = f * cells;
  for (let a = 0; a < cells; a++) logJoint[a] += sign * terms[at + a];
}

/** L_mk(S), M × K, for the features with the given indices. */
export function logJointOf(evidence: Evidence, features: readonly number[]): Float64Array {
  const logJoint = evidence.base.slice();
  for (let j = 0; j < features.length; j++) addFeature(evidence, logJoint, features[j]);
  if (evidence.joint) addTogether(evidence.joint, logJoint, features);
  return logJoint;
}

/** L_mk of all features, M × K. */
export function logJointOfAll(evidence: Evidence): Float64Array {
  const logJoint = evidence.base.slice();
  for (let f = 0; f < evidence.features.length; f++) addFeature(evidence, logJoint, f);
  if (evidence.joint) addTogether(evidence.joint, logJoint, [...evidence.features.keys()]);
  return logJoint;
}

function addTogether(joint: BlockEvidence, logJoint: Float64Array, features: readonly number[]): void {
  const terms = joint.terms(features);
  for (let a = 0; a < logJoint.length; a++) logJoint[a] += terms[a];
}

/** log Σ_m exp L_mk: the classes' scores, K numbers. */
export function classScores({ K, cells }: Evidence, logJoint: Float64Array): Float64Array {
  if (cells === K) return logJoint;
  const scores = new Float64Array(K);
  for (let k = 0; k < K; k++) scores[k] = logSumStride(logJoint, k, K);
  return scores;
}

/** log Σ exp over the entries start, start + stride, … */
export function logSumStride(x: Float64Array, start: number, stride: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let at = start; at < x.length; at += stride) if (x[at] > largest) largest = x[at];
  if (largest === Number.NEGATIVE_INFINITY) return largest;
  let sum = 0;
  for (let at = start; at < x.length; at += stride) sum += Math.exp(x[at] - largest);
  return largest + Math.log(sum);
}

/** log P(c) / P(not c) from the classes' scores. */
export function logOddsOf(scores: Float64Array, c: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < scores.length; k++) if (k !== c && scores[k] > largest) largest = scores[k];
  let sum = 0;
  for (let k = 0; k < scores.length; k++) if (k !== c) sum += Math.exp(scores[k] - largest);
  return scores[c] - largest - Math.log(sum);
}
