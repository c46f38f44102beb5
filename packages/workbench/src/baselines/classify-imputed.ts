import {
  type Classifier,
  ConformantError,
  type Data,
  encode,
  type Predictions,
  type Schema,
  type Table,
  type TreeClassifier,
  type WatchOptions,
} from "conformant";
import { indexOfLargest, isLinear, isMissing, probabilitiesInPlace, Watch } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { answerOfTrees } from "conformant/trees";
import { eachFilledRow, type Imputer } from "./imputer.ts";

/** The classifier's answer for imputed rows, F_k(imputed x). Complete rows get the classifier's own answer. */
export function classifyImputed(
  classifier: Classifier | TreeClassifier,
  imputer: Imputer,
  data: Data,
  options: WatchOptions = {},
): Predictions {
  const watch = new Watch(options, "imputing");
  const { schema, classes } = classifier;
  if (!sameSchema(schema, imputer.schema)) {
    const message =
      "the imputer was fitted for other columns than the classifier's; fit it with classifier.schema";
    throw new ConformantError("invalid-argument", message, { argument: "imputer" });
  }
  const table = encode(schema, data);
  const probabilities =
    classifier.kind === "trees"
      ? treesOfFilled(classifier, imputer, table, watch)
      : imputer.constants
        ? classifyWithConstants(classifier, imputer.constants, table)
        : classifyFilled(classifier, imputer, table, watch);
  return { classes, probabilities, unseen: table.unseen };
}

function sameSchema(a: Schema, b: Schema): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** A constant in place of a missing value adds a constant per class, Σ_slots w_k,slot · constant. No row is laid out in slots. */
function classifyWithConstants(classifier: Classifier, constants: Float64Array, table: Table): Float64Array {
  const { schema, intercept, weights } = classifier;
  const K = intercept.length;
  const slots = slotOffsets(schema);
  const scores = new Float64Array(table.rows * K);
  for (let r = 0; r < table.rows; r++) scores.set(intercept, r * K);
  schema.columns.forEach((column, i) => {
    const cells = table.columns[i];
    const linear = isLinear(column);
    const missing = new Float64Array(K);
    for (let slot = slots[i]; slot < slots[i + 1]; slot++)
      for (let k = 0; k < K; k++) missing[k] += weights[slot * K + k] * constants[slot];
    for (let r = 0; r < table.rows; r++) {
      if (isMissing(cells, r)) for (let k = 0; k < K; k++) scores[r * K + k] += missing[k];
      else if (linear) for (let k = 0; k < K; k++) scores[r * K + k] += weights[slots[i] * K + k] * cells[r];
      else for (let k = 0; k < K; k++) scores[r * K + k] += weights[(slots[i] + cells[r]) * K + k];
    }
  });
  for (let r = 0; r < table.rows; r++) probabilitiesInPlace(scores, r * K, K);
  return scores;
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

/** Trees split on columns: a number or a 0/1 value as it was imputed, of a one-hot group the value with the largest share. */
function treesOfFilled(trees: TreeClassifier, imputer: Imputer, table: Table, watch: Watch): Float64Array {
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
