import {
  calibrate,
  conformMixture,
  encode,
  predictionIntervals,
  type Row,
  random,
  trainTreeRegressor,
} from "conformant";
import { shuffled } from "conformant-workbench";
import { COVERAGE, hide, masksOf } from "./evaluate-sets.ts";

/** The rows of each part at most; tables with fewer rows are divided in the same proportions. */
const MOST = { training: 2000, calibration: 1500, test: 1500 };

/** How often the intervals of boosted trees contain the number of a test row. */
export interface IntervalCoverage {
  /** One share per mask. */
  readonly covered: readonly number[];
  /** The standard deviation of such a share where the coverage is exact: of the test rows, and of the calibrated quantile. */
  readonly deviation: number;
}

/** Trains, calibrates and tests on three parts of a table, with whole columns missing from all test rows. */
export function evaluateIntervals(rows: readonly Row[], label: string, seed: number): IntervalCoverage {
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
  const model = conformMixture(trainTreeRegressor(training, { label }), training);
  const kept = calibrate(model, calibration);
  const table = encode(model.schema, test);
  const covered = masksOf(model.schema.columns.length).map((mask) => {
    const { lower, upper } = predictionIntervals(model, kept, hide(table, mask), { coverage: COVERAGE });
    const inside = test.filter((row, r) => Number(row[label]) >= lower[r] && Number(row[label]) <= upper[r]);
    return inside.length / test.length;
  });
  const variance = COVERAGE * (1 - COVERAGE);
  return { covered, deviation: Math.sqrt(variance / test.length + variance / (calibration.length + 2)) };
}
