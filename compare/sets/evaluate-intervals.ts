import {
  calibrate,
  conformMixture,
  encode,
  predictionIntervals,
  type Row,
  random,
  type Table,
  trainTreeRegressor,
} from "conformant";
import { isMissing } from "conformant/internal";
import { answerRows } from "conformant/trees";
import { shuffled } from "conformant-workbench";
import { mean } from "../statistics.ts";
import { COVERAGE, hide, masksOf } from "./evaluate-sets.ts";

/** The rows of each part at most; tables with fewer rows are divided in the same proportions. */
const MOST = { training: 2000, calibration: 1500, test: 1500 };

/** Intervals of boosted trees on one split of a table: per mask the share of test rows within, and the mean width. */
export interface IntervalScores {
  readonly testRows: number;
  readonly calibrationRows: number;
  readonly covered: readonly number[];
  readonly width: readonly number[];
  /** The same for the trees' answers to imputed rows ± the quantile of their residuals under the same mask. */
  readonly meanImputed: { readonly covered: readonly number[]; readonly width: readonly number[] };
}

/** Trains, calibrates and tests on three parts of a table, with whole columns missing from all test rows. */
export function evaluateIntervals(rows: readonly Row[], label: string, seed: number): IntervalScores {
  const order = shuffled(rows.length, random(seed));
  const total = MOST.training + MOST.calibration + MOST.test;
  const share = Math.min(1, rows.length / total);
  let from = 0;
  const [training, calibration, test] = [MOST.training, MOST.calibration, MOST.test].map((most) => {
    const size = Math.floor(most * share);
    const part = Array.from(order.subarray(from, from + size), (r) => rows[r]);
    from += size;
    return part;
  });
  const trees = trainTreeRegressor(training, { label });
  const model = conformMixture(trees, training);
  const kept = calibrate(model, calibration);
  const [calibrationTable, table] = [calibration, test].map((part) => encode(model.schema, part));
  const numbers = (part: readonly Row[]): number[] => part.map((row) => Number(row[label]));
  const [calibrationLabels, labels] = [numbers(calibration), numbers(test)];
  const fill = meanFill(encode(model.schema, training));
  const masks = masksOf(model.schema.columns.length).map((mask) => {
    const { lower, upper } = predictionIntervals(model, kept, hide(table, mask), { coverage: COVERAGE });
    const residuals = answerRows(trees, fill(hide(calibrationTable, mask)))
      .map((answer, r) => Math.abs(answer - calibrationLabels[r]))
      .sort();
    const half = residuals[Math.ceil((residuals.length + 1) * COVERAGE - 1e-9) - 1];
    const imputed = answerRows(trees, fill(hide(table, mask)));
    return {
      covered: mean(labels.map((y, r) => Number(y >= lower[r] && y <= upper[r]))),
      width: mean(labels.map((_, r) => upper[r] - lower[r])),
      imputedCovered: mean(labels.map((y, r) => Number(Math.abs(y - imputed[r]) <= half))),
      imputedWidth: 2 * half,
    };
  });
  return {
    testRows: test.length,
    calibrationRows: calibration.length,
    covered: masks.map((mask) => mask.covered),
    width: masks.map((mask) => mask.width),
    meanImputed: {
      covered: masks.map((mask) => mask.imputedCovered),
      width: masks.map((mask) => mask.imputedWidth),
    },
  };
}

/** Replaces missing numbers by the mean of the training rows, and missing categories by the most frequent one. */
function meanFill(training: Table): (table: Table) => Table {
  const constants = training.columns.map((cells) => {
    const known = Array.from(cells).filter((_, r) => !isMissing(cells, r));
    if (cells instanceof Float64Array) return mean(known);
    const counts = new Map<number, number>();
    for (const code of known) counts.set(code, (counts.get(code) ?? 0) + 1);
    return [...counts].reduce((most, own) => (own[1] > most[1] ? own : most))[0];
  });
  return (table) => ({
    ...table,
    columns: table.columns.map((cells, i) =>
      cells.map((cell, r) => (isMissing(cells, r) ? constants[i] : cell)),
    ),
  });
}
