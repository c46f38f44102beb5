import type { Table, WatchOptions } from "conformant";
import { random } from "conformant";
import { findCompleteRows, pickRows } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { splitLabel } from "../source/labeled-rows.ts";
import type { Reporter } from "../source/reporter.ts";
import { SeededChoice } from "../source/seeded-choice.ts";
import { shuffled } from "../source/shuffled.ts";
import { watchWork } from "../source/watch-work.ts";
import type { Answers } from "./out-of-fold.ts";

/** Parts of the rows, each held out once; two where a training is costly. */
const [FOLDS, FEW_FOLDS, COSTLY] = [5, 2, 2000];
/** Rows × weights that one training may cost; more rows than that are sampled. A check need not be as exact as the fit. */
const WORK = 1e7;
const LEAST_ROWS = 500;

/** Something that can be trained: on rows whose weight is not zero. */
export interface Candidate {
  /** The penalty, where there is one. */
  readonly l2?: number;
  readonly learn: (rows: Table, weights: Float64Array, watch: WatchOptions) => Answers;
}

/** How well a candidate does on rows that were not trained on. */
export interface CrossValidation {
  readonly l2?: number | undefined;
  /** Mean of −log P(label) over the held-out rows. */
  readonly logLoss: number;
  readonly folds: number;
  readonly rows: number;
}

/**
 * Trains on all but one part of the complete rows and judges on that part, for each part and candidate; the same rows and folds for
 * all, chosen by the seed. Undefined where there are too few rows, or rows of one class only.
 *
 * @param table the model's columns and, last, the label
 */
export function crossValidate(
  table: Table,
  candidates: readonly Candidate[],
  seed: number,
  messages: Pick<Reporter, "progress" | "tried">,
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
  return candidates.map(({ l2, learn }, c) => {
    let loss = 0;
    for (let f = 0; f < folds; f++) {
      const watch = watchWork(messages, c * folds + f, candidates.length * folds, "cross-validating");
      const answers = learn(
        rows,
        Float64Array.from(fold, (g) => (g === f ? 0 : 1)),
        watch,
      );
      const heldOut = Int32Array.from(fold.keys()).filter((r) => fold[r] === f);
      loss += totalLogLoss(answers, pickRows(rows, heldOut), classes);
    }
    return { l2, logLoss: loss / sample.length, folds, rows: sample.length };
  });
}

/** The fold of each row: as many rows in each as can be, in random order. */
function randomFolds(rows: number, folds: number, seed: number): Int32Array {
  return shuffled(rows, random(seed)).map((place) => place % folds);
}

/** Σ −log P(label) over rows that were not trained on. */
function totalLogLoss(answers: Answers, rows: Table, K: number): number {
  const { table, labels } = splitLabel(rows);
  const probabilities = answers(table);
  let loss = 0;
  for (let r = 0; r < table.rows; r++) loss -= Math.log(probabilities[r * K + labels[r]]);
  return loss;
}

function sampleRows(rows: Int32Array, most: number, seed: number): Int32Array {
  if (rows.length <= most) return rows;
  const choice = new SeededChoice(rows.length, most, seed);
  return rows.filter(() => choice.next());
}
