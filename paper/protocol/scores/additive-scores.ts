import type { Classifier, Model, Schema } from "conformant";
import { slotOffsets } from "conformant/remote";

/**
 * A predictor whose class scores add up over the columns, P(k | y) ∝ exp( b_k + Σ_{i known} s_ki(y_i) + Σ_{i missing} g_ki ).
 * The constants that are filled in, naive conformant learning and naive Bayes are of this kind, and differ in g alone.
 */
export interface AdditiveScores {
  /** b_k, K numbers. */
  readonly intercept: Float64Array;
  /** s_ki: slots × K as in a classifier, one slot for a 0/1 column and one per value for a categorical one. */
  readonly known: Float64Array;
  /** g_ki: columns × K. */
  readonly gaps: Float64Array;
}

/** A classifier with the same value filled in wherever a slot is missing: g_ki = Σ_{slots of i} w_k · constant. */
export function scoresWithConstants(classifier: Classifier, constants: Float64Array): AdditiveScores {
  const { intercept, weights, classes } = classifier;
  const K = classes.length;
  const filled = weights.map((w, at) => w * constants[Math.floor(at / K)]);
  return { intercept, known: weights, gaps: sumOverSlots(classifier.schema, filled, K) };
}

/**
 * A model with one component: g_ki = log Z_ki, what a gap in column i is worth to class k. A model over one-hot bits has one per
 * bit, and a column's is their sum.
 *
 * @param schema the columns of the table; the model's are these or their bits
 */
export function scoresOfModel({ tilt, components }: Model, schema: Schema): AdditiveScores {
  const [{ logZ }] = components;
  const K = tilt.intercept.length;
  const onBits = logZ.length !== schema.columns.length * K;
  return {
    intercept: tilt.intercept,
    known: tilt.weights,
    gaps: onBits ? sumOverSlots(schema, logZ, K) : logZ,
  };
}

/** Adds up slots × K numbers over the slots of each column. */
function sumOverSlots(schema: Schema, bySlot: Float64Array, K: number): Float64Array {
  const offsets = slotOffsets(schema);
  const sums = new Float64Array(schema.columns.length * K);
  for (let i = 0; i < schema.columns.length; i++)
    for (let slot = offsets[i]; slot < offsets[i + 1]; slot++)
      for (let k = 0; k < K; k++) sums[i * K + k] += bySlot[slot * K + k];
  return sums;
}
