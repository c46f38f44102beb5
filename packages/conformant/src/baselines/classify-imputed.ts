import type { Classifier } from "../classifier/classifier.ts";
import { classifyWithGaps } from "../classifier/classify-rows.ts";
import { ConformantError, requireMade } from "../errors.ts";
import { probabilitiesInPlace } from "../math/exponential/softmax.ts";
import { indexOfLargest } from "../math/index-of-largest.ts";
import type { Predictions } from "../queries/prediction/predict.ts";
import { type Schema, slotOffsets } from "../schema/column.ts";
import type { Data, Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { answerOfTrees, type TreeClassifier } from "../trees/tree-classifier.ts";
import { Watch, type WatchOptions } from "../watch.ts";
import type { Imputer } from "./imputers/imputer.ts";
import { slotRows } from "./imputers/slot-rows.ts";

/** Rows that are filled and scored together. */
const BLOCK = 256;

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
  eachFilledRow(imputer, table, watch, (rows, from, r, width) => {
    addSlotScores(scores, r * K, K, rows, from, weights, width);
    probabilitiesInPlace(scores, r * K, K);
  });
  return scores;
}

/** Trees ask about columns: a number or a 0/1 value as it was filled in, of a group of bits the one with the largest share. */
function answersWithFill(trees: TreeClassifier, imputer: Imputer, table: Table, watch: Watch): Float64Array {
  const { schema, classes } = trees;
  const offsets = slotOffsets(schema);
  const whole = schema.columns.map(({ kind }) => kind === "numeric" || kind === "binary");
  const out = new Float64Array(table.rows * classes.length);
  const x = new Float64Array(schema.columns.length);
  eachFilledRow(imputer, table, watch, (rows, from, r) => {
    for (let i = 0; i < x.length; i++) {
      const slot = from + offsets[i];
      x[i] = whole[i] ? rows[slot] : indexOfLargest(rows.subarray(slot, from + offsets[i + 1]));
    }
    out.set(answerOfTrees(trees, x), r * classes.length);
  });
  return out;
}

/** Fills rows in blocks and visits each; row r begins at `from` and has `width` slots. */
function eachFilledRow(
  imputer: Imputer,
  table: Table,
  watch: Watch,
  visit: (rows: Float64Array, from: number, r: number, width: number) => void,
): void {
  const width = slotOffsets(table.schema)[table.schema.columns.length];
  for (let start = 0; start < table.rows; start += BLOCK) {
    const end = Math.min(start + BLOCK, table.rows);
    watch.step(start / table.rows);
    const rows = slotRows(table, start, end);
    imputer.fill(rows, end - start);
    for (let r = start; r < end; r++) visit(rows, (r - start) * width, r, width);
  }
}

/** scores_k += Σ_slots w_k,slot · x_slot for one row; most slots of one-hot groups are 0. */
function addSlotScores(
  scores: Float64Array,
  to: number,
  K: number,
  rows: Float64Array,
  from: number,
  weights: Float64Array,
  width: number,
): void {
  for (let slot = 0; slot < width; slot++) {
    const x = rows[from + slot];
    if (x !== 0) for (let k = 0; k < K; k++) scores[to + k] += weights[slot * K + k] * x;
  }
}
