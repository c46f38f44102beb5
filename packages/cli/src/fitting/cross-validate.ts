import {
  type Classifier,
  classifyRows,
  findCompleteRows,
  pickRows,
  random,
  slotOffsets,
  type Table,
  type TrainOptions,
  train,
  type WatchOptions,
} from "conformant";
import type { Messages } from "../arguments/command.ts";
import { watchWork } from "../terminal/watch-work.ts";
import { SeededChoice } from "./seeded-choice.ts";
import { withoutLast } from "./without-last.ts";

/** Parts of the rows, each held out once; two where a training is costly. */
const [FOLDS, FEW_FOLDS, COSTLY] = [5, 2, 2000];
/** Rows × weights that one training may cost; more rows than that are sampled. A check need not be as exact as the fit. */
const WORK = 1e7;
const LEAST_ROWS = 500;
const TOLERANCE = 1e-4;

/** Penalties that "auto" compares. */
export const PENALTIES: readonly number[] = [0.01, 0.1, 1, 10, 100, 1000];

/** How well a penalty does on rows that were not trained on. */
export interface CrossValidation {
  readonly l2: number;
  /** Mean of −log P(label) over the held-out rows. */
  readonly logLoss: number;
  readonly folds: number;
  readonly rows: number;
}

/**
 * Trains on all but one part of the complete rows and judges on that part, for each part and penalty; the same rows and folds for
 * all, chosen by the seed. Undefined where there are too few rows, or rows of one class only.
 *
 * @param table the model's columns and, last, the label
 */
export function crossValidate(
  table: Table,
  penalties: readonly number[],
  seed: number,
  messages: Messages,
): CrossValidation[] | undefined {
  const label = table.schema.columns[table.schema.columns.length - 1];
  const classes = label.kind === "categorical" ? label.values.length : 2;
  const weights = slotOffsets(table.schema)[table.schema.columns.length - 1] * (classes === 2 ? 1 : classes);
  const sample = sampleRows(findCompleteRows(table), Math.max(LEAST_ROWS, Math.floor(WORK / weights)), seed);
  const folds = weights > COSTLY ? FEW_FOLDS : FOLDS;
  const codes = table.columns[table.columns.length - 1];
  if (sample.length < 2 * folds || sample.every((r) => codes[r] === codes[sample[0]])) return undefined;
  const rows = pickRows(table, sample);
  const fold = randomFolds(sample.length, folds, seed);
  return penalties.map((l2, p) => {
    let loss = 0;
    for (let f = 0; f < folds; f++) {
      const watch = watchWork(messages, p * folds + f, penalties.length * folds, "cross-validating");
      loss += foldLoss(rows, fold, f, { label: label.name, l2, ...watch });
    }
    return { l2, logLoss: loss / sample.length, folds, rows: sample.length };
  });
}

/** The fold of each row: as many rows in each as can be, in random order. */
function randomFolds(rows: number, folds: number, seed: number): Int32Array {
  const fold = Int32Array.from({ length: rows }, (_, r) => r % folds);
  const generator = random(seed);
  for (let r = rows - 1; r > 0; r--) {
    const other = generator.integer(r + 1);
    [fold[r], fold[other]] = [fold[other], fold[r]];
  }
  return fold;
}

/** Σ −log P(label) over the rows of one fold, under a classifier that did not see them. */
function foldLoss(
  rows: Table,
  fold: Int32Array,
  f: number,
  options: Pick<TrainOptions, "label" | "l2" | keyof WatchOptions>,
): number {
  const classifier = train(rows, {
    ...options,
    tolerance: TOLERANCE,
    weights: Float64Array.from(fold, (g) => (g === f ? 0 : 1)),
  });
  const heldOut = pickRows(
    rows,
    Int32Array.from(fold.keys()).filter((r) => fold[r] === f),
  );
  return totalLogLoss(classifier, heldOut);
}

function totalLogLoss(classifier: Classifier, rows: Table): number {
  const K = classifier.classes.length;
  const labels = rows.columns[rows.columns.length - 1];
  const probabilities = classifyRows(classifier, withoutLast(rows));
  let loss = 0;
  for (let r = 0; r < rows.rows; r++) loss -= Math.log(probabilities[r * K + labels[r]]);
  return loss;
}

function sampleRows(rows: Int32Array, most: number, seed: number): Int32Array {
  if (rows.length <= most) return rows;
  const choice = new SeededChoice(rows.length, most, seed);
  return rows.filter(() => choice.next());
}
