import { memoize } from "../cache.ts";
import { expectationOf } from "../model/kinds.ts";
import { type RegressionModel, requireNumber } from "../model/model.ts";
import { type OptionsOf, probability, type ReadOptions, readOptions } from "../options.ts";
import type { CompletionLimits } from "../predictors/expectation.ts";
import { numberOf } from "../predictors/number-link.ts";
import { varianceOf } from "../predictors/spread.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import { type NumberPredictions, predictColumns } from "../questions/predict.ts";
import { encodeFor, encodeRow, type QueryOptions, queryOptions } from "../questions/row-input.ts";
import type { Data, Row, Table, UnseenValues } from "../schema/data.ts";
import { cellsOfRow } from "../schema/read-row.ts";
import { maskedRows, type NumberCalibration, requireCalibration } from "./calibrate.ts";
import { MaskScores, rankOf } from "./prediction-set.ts";

/** The coverage of prediction intervals. */
export interface PredictionIntervalOptions extends QueryOptions {
  /** The share of rows whose interval contains their number, between 0 and 1. Default 0.9. */
  readonly coverage?: number | undefined;
}

const intervalOptions = {
  ...queryOptions,
  coverage: probability(0.9),
} satisfies OptionsOf<PredictionIntervalOptions>;

const intervalsOptions = {
  ...intervalOptions,
  ...watchOptions,
} satisfies OptionsOf<PredictionIntervalOptions & WatchOptions>;

/** An interval that contains the true number with a given probability. */
export interface PredictionInterval {
  /** The expected answer. */
  readonly value: number;
  /** Where there are too few calibration rows -Infinity, or the least number that the link can give. */
  readonly lower: number;
  readonly upper: number;
  readonly coverage: number;
  /** The number of calibration rows in which the same columns are known. */
  readonly calibrationRows: number;
  /** Whether these suffice: with fewer than coverage / (1 − coverage) the interval has no bounds. */
  readonly enough: boolean;
  readonly unseen: readonly UnseenValues[];
}

/** The intervals of many rows, and the predictions that they are around. */
export interface PredictionIntervals extends NumberPredictions {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Per row: the number of calibration rows used. */
  readonly calibrationRows: Int32Array;
}

/**
 * An interval that contains the true number with the requested probability (split conformal prediction; Vovk et al. 2005, normalized as by
 * Lei et al. 2018). The calibration rows are predicted with the missing values of this very row, as in {@link predictionSet}, and under the
 * same assumptions. With e the expected answer and s its spread, the interval is e ± q·s, and q the quantile of |number − e| / s of the
 * calibration rows.
 *
 *     predictionInterval(model, calibration, { size: 40 }); // { value: 210, lower: 170, upper: 250, … }
 */
export function predictionInterval(
  model: RegressionModel,
  calibration: NumberCalibration,
  row: Row,
  options: PredictionIntervalOptions = {},
): PredictionInterval {
  const request = readOptions(options, intervalOptions);
  const table = encodeRow(requireBoth(model, calibration), row, request);
  const { values, lower, upper, calibrationRows } = intervalsOf(model, calibration, table, request);
  return {
    value: values[0],
    lower: lower[0],
    upper: upper[0],
    coverage: request.coverage,
    calibrationRows: calibrationRows[0],
    enough: rankOf(request.coverage, calibrationRows[0]) <= calibrationRows[0],
    unseen: table.unseen,
  };
}

/**
 * {@link predictionInterval} for many rows at once; rows with the same missing columns share a pass over the calibration rows.
 *
 *     predictionIntervals(model, calibration, rows).lower; // one number per row
 */
export function predictionIntervals(
  model: RegressionModel,
  calibration: NumberCalibration,
  data: Data,
  options: PredictionIntervalOptions & WatchOptions = {},
): PredictionIntervals {
  const request = readOptions(options, intervalsOptions);
  const table = encodeFor(requireBoth(model, calibration), data, request);
  return intervalsOf(model, calibration, table, request, new Watch(request, "predicting"));
}

function requireBoth(model: RegressionModel, calibration: NumberCalibration): RegressionModel {
  requireNumber(model, "a prediction interval");
  requireCalibration(model, calibration);
  return model;
}

function intervalsOf(
  model: RegressionModel,
  calibration: NumberCalibration,
  table: Table,
  { coverage }: ReadOptions<typeof intervalOptions>,
  watch?: Watch,
): PredictionIntervals {
  const residuals = maskResiduals(model, calibration);
  const predictions = predictColumns(model, table);
  const { values } = predictions;
  const [least, most] = rangeOf(model, calibration);
  const [lower, upper] = [new Float64Array(table.rows), new Float64Array(table.rows)];
  const calibrationRows = new Int32Array(table.rows);
  for (let r = 0; r < table.rows; r++) {
    watch?.step(r / table.rows);
    const own = residuals.of(table, r);
    calibrationRows[r] = own.length;
    const rank = rankOf(coverage, own.length);
    const isBounded = rank <= own.length && Number.isFinite(own[rank - 1]);
    const half = isBounded ? own[rank - 1] * spreadOf(model, table, r) : 0;
    lower[r] = isBounded ? Math.max(least, values[r] - half) : least;
    upper[r] = isBounded ? Math.min(most, values[r] + half) : most;
  }
  return { ...predictions, lower, upper, calibrationRows };
}

/** The numbers that the link can give, where all labels are among them: an interval of counts starts at 0. */
function rangeOf({ predictor }: RegressionModel, { labels }: NumberCalibration): [number, number] {
  const link = predictor.kind === "function" ? "identity" : predictor.link;
  const [least, most] = [-1, 1].map((sign) => numberOf(link, sign * Number.POSITIVE_INFINITY));
  const fits = labels.every((label) => label >= least && label <= most);
  return fits ? [least, most] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
}

/** The share of the answers' standard deviation that stands for what the regressor leaves open where nothing is missing. */
const LEFT_OPEN = 0.5;
/** Draws for the spread of a row where it has no closed form: any function of the known values keeps the coverage. */
const DRAWS: CompletionLimits = { enumerate: 128, samples: 128, seed: 0 };

/**
 * √( Var(f | known) + (LEFT_OPEN · σ)² ), σ the standard deviation of all answers. It depends on no calibration row, so that the coverage
 * is exact.
 */
function spreadOf(model: RegressionModel, table: Table, row: number): number {
  const expectation = expectationOf(model);
  const variance = varianceOf(expectation, cellsOfRow(table, row), DRAWS);
  const spread = Math.sqrt(variance + (LEFT_OPEN * expectation.scale) ** 2);
  return Number.isFinite(spread) ? spread : 1; // squares of answers beyond 1e154 overflow
}

const residualsOf = new WeakMap<NumberCalibration, WeakMap<RegressionModel, MaskScores>>();

function maskResiduals(model: RegressionModel, calibration: NumberCalibration): MaskScores {
  const byModel = memoize(residualsOf, calibration, () => new WeakMap<RegressionModel, MaskScores>());
  return memoize(byModel, model, () => new MaskScores((known) => residuals(model, calibration, known)));
}

/** The residuals of calibration rows under a mask, in units of their spread. */
function residuals(
  model: RegressionModel,
  calibration: NumberCalibration,
  known: readonly boolean[],
): Float64Array {
  const { rows, table } = maskedRows(calibration, known);
  if (rows.length === 0) return new Float64Array(0);
  const { values } = predictColumns(model, table);
  return Float64Array.from(
    rows,
    (r, j) => Math.abs(calibration.labels[r] - values[j]) / spreadOf(model, table, j),
  );
}
