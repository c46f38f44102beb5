import type { Classifier } from "../classifier/classifier.ts";
import { classifyWithGaps } from "../classifier/classify-rows.ts";
import { ConformantError, requireMade } from "../errors.ts";
import { probabilitiesInPlace } from "../math/exponential/softmax.ts";
import { indexOfLargest } from "../math/index-of-largest.ts";
import type { Predictions } from "../queries/prediction/predict.ts";
import { isLinear, type Schema, slotOffsets } from "../schema/column.ts";
import type { Data, Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { answerOfTrees, type TreeClassifier } from "../trees/tree-classifier.ts";
import { Watch, type WatchOptions } from "../watch.ts";
import { eachFilledRow } from "./imputers/filled-rows.ts";
import type { Imputer } from "./imputers/imputer.ts";

/**
 * The classifier's answer for rows whose gaps an imputer has filled, F_k(filled x). Rows without a gap get the
 * classifier's own answer.
 */
export function classifyImputed(
  classifier: Classifier | TreeClassifier,
  imputer: Imputer,
  data: Data,
  options: WatchOptions = {},
): Predictions {
  requireMade("classifier of any kind", classifier, "classifier");
  requireMade("imputer", imputer);
  const watch = new Watch(options, "imputing");
  const { schema, classes } = classifier;
  if (!sameSchema(schema, imputer.schema)) {
    const message =
      "the imputer was fitted for other columns than the classifier's; fit it with classifier.schema";
    throw new ConformantError("invalid-argument", message, { argument: "imputer" });
  }
  const table = encode(schema, data);
  if ("kind" in classifier)
    return {
      classes,
      probabilities: answersWithFill(classifier, imputer, table, watch),
      unseen: table.unseen,
    };
  const probabilities = imputer.constants
    ? answersWithConstants(classifier, imputer.constants, table)
    : classifyFilled(classifier, imputer, table, watch);
  return { classes, probabilities, unseen: table.unseen };
}

function sameSchema(a: Schema, b: Schema): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** A constant in a gap is a constant per class: Σ_slots w_k,slot · constant. No row needs to be filled. */
function answersWithConstants(classifier: Classifier, constants: Float64Array, table: Table): Float64Array {
  const { schema, intercept, weights } = classifier;
  const K = intercept.length;
  const slots = slotOffsets(schema);
  const gaps = new Float64Array(schema.columns.length * K);
  schema.columns.forEach((_, i) => {
    for (let slot = slots[i]; slot < slots[i + 1]; slot++)
      for (let k = 0; k < K; k++) gaps[i * K + k] += weights[slot * K + k] * constants[slot];
  });
  return classifyWithGaps(classifier, gaps, table);
}

function classifyFilled(classifier: Classifier, imputer: Imputer, table: Table, watch: Watch): Float64Array {
  const { intercept, weights } = classifier;
  const K = intercept.length;
  const scores = new Float64Array(table.rows * K);
  for (let r = 0; r < table.rows; r++) scores.set(intercept, r * K);
  eachFilledRow(imputer, table, watch, (slots, r) => {
    addSlotScores(slots, weights, scores.subarray(r * K, (r + 1) * K));
    probabilitiesInPlace(scores, r * K, K);
  });
  return scores;
}

/** Trees ask about columns: a number or a 0/1 value as it was filled in, of a group of bits the one with the largest share. */
function answersWithFill(trees: TreeClassifier, imputer: Imputer, table: Table, watch: Watch): Float64Array {
  const { schema, classes } = trees;
  const offsets = slotOffsets(schema);
  const whole = schema.columns.map(isLinear);
  const out = new Float64Array(table.rows * classes.length);
  const x = new Float64Array(schema.columns.length);
  eachFilledRow(imputer, table, watch, (slots, r) => {
    for (let i = 0; i < x.length; i++) {
      const own = slots.subarray(offsets[i], offsets[i + 1]);
      x[i] = whole[i] ? own[0] : indexOfLargest(own);
    }
    out.set(answerOfTrees(trees, x), r * classes.length);
  });
  return out;
}

/** scores_k += Σ_slots w_k,slot · x_slot; most slots of one-hot groups are 0. */
function addSlotScores(slots: Float64Array, weights: Float64Array, scores: Float64Array): void {
  const K = scores.length;
  for (let slot = 0; slot < slots.length; slot++) {
    const x = slots[slot];
    if (x !== 0) for (let k = 0; k < K; k++) scores[k] += weights[slot * K + k] * x;
  }
}
