import { BoundedCache, memoize } from "../cache.ts";
import type { Random } from "../math/random.ts";
import { countBelow, fallingOrder } from "../math/search.ts";
import type { Model } from "../model/model.ts";
import { having, type OptionsOf, probability, type ReadOptions, readOptions } from "../options.ts";
import { decide, TIE } from "../predictors/decision.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import type { Predictions } from "../questions/predict.ts";
import { predictColumns } from "../questions/predict.ts";
import { encodeFor, encodeRow, type QueryOptions, queryOptions } from "../questions/row-input.ts";
import { type Data, isMissingCell, type Row, type Table, type UnseenValues } from "../schema/data.ts";
import { type Calibration, maskedRows, requireCalibration } from "./calibrate.ts";

/** The coverage of prediction sets, and how borderline classes are treated. */
export interface PredictionSetOptions extends QueryOptions {
  /** The share of rows whose set contains their class, between 0 and 1. Default 0.9. */
  readonly coverage?: number | undefined;
  /**
   * Includes borderline classes at random, so that the coverage is exact and not only a lower bound; sets may then be empty. Without it a
   * set always contains the predicted class.
   */
  readonly randomized?: Random | undefined;
}

const setOptions = {
  ...queryOptions,
  coverage: probability(0.9),
  randomized: having<Random>("what random returns", { uniform: "function" }),
} satisfies OptionsOf<PredictionSetOptions>;

const setsOptions = {
  ...setOptions,
  ...watchOptions,
} satisfies OptionsOf<PredictionSetOptions & WatchOptions>;

/** A set of classes that contains the true one with a given probability. */
export interface PredictionSet {
  /** The likeliest first. */
  readonly classes: readonly string[];
  readonly coverage: number;
  /**
   * Per class the share of calibration rows, this one included, whose own class was no likelier (a p-value): classes at or below 1 −
   * coverage are excluded.
   */
  readonly pValues: Readonly<Record<string, number>>;
  /** The number of calibration rows in which the same columns are known. */
  readonly calibrationRows: number;
  /** Whether these suffice to exclude a class; with fewer than coverage / (1 − coverage) a set contains every class. */
  readonly enough: boolean;
  readonly unseen: readonly UnseenValues[];
}

/** The sets of many rows, and the predictions that they are based on. */
export interface PredictionSets extends Predictions {
  /** rows × K, 1 where a class is in the set. */
  readonly members: Uint8Array;
  /** rows × K. */
  readonly pValues: Float64Array;
  /** Per row: the number of calibration rows used. */
  readonly calibrationRows: Int32Array;
}

/**
 * A set of classes that contains the true one with the requested probability (split conformal prediction; Vovk et al. 2005). The
 * calibration rows are predicted with the missing values of this very row, so that the probability holds for rows with these missing
 * values, not only on average over all patterns (Zaffran et al. 2023). It requires that rows are like the calibration rows and values are
 * missing completely at random.
 *
 *     predictionSet(model, calibration, { age: 40 }).classes; // ["no", "yes"]
 */
export function predictionSet(
  model: Model,
  calibration: Calibration,
  row: Row,
  options: PredictionSetOptions = {},
): PredictionSet {
  const request = readOptions(options, setOptions);
  requireCalibration(model, calibration);
  const table = encodeRow(model, row, request);
  const sets = setsOf(model, calibration, table, request);
  const { classes, probabilities, members, pValues, calibrationRows } = sets;
  return {
    classes: [...fallingOrder(probabilities)].filter((k) => members[k] === 1).map((k) => classes[k]),
    coverage: request.coverage,
    pValues: Object.fromEntries(classes.map((name, k) => [name, pValues[k]])),
    calibrationRows: calibrationRows[0],
    enough: rankOf(request.coverage, calibrationRows[0]) <= calibrationRows[0],
    unseen: table.unseen,
  };
}

/**
 * {@link predictionSet} for many rows at once; rows with the same missing columns share a pass over the calibration rows.
 *
 *     predictionSets(model, calibration, rows).members; // rows × classes, 1 where a class is in the set
 */
export function predictionSets(
  model: Model,
  calibration: Calibration,
  data: Data,
  options: PredictionSetOptions & WatchOptions = {},
): PredictionSets {
  const request = readOptions(options, setsOptions);
  requireCalibration(model, calibration);
  const watch = new Watch(request, "predicting");
  return setsOf(model, calibration, encodeFor(model, data, request), request, watch);
}

function setsOf(
  model: Model,
  calibration: Calibration,
  table: Table,
  { coverage, randomized }: ReadOptions<typeof setOptions>,
  watch?: Watch,
): PredictionSets {
  const scores = maskScores(model, calibration);
  const predictions = predictColumns(model, table);
  const { probabilities } = predictions;
  const K = predictions.classes.length;
  const members = new Uint8Array(table.rows * K);
  const pValues = new Float64Array(table.rows * K);
  const calibrationRows = new Int32Array(table.rows);
  for (let r = 0; r < table.rows; r++) {
    watch?.step(r / table.rows);
    const own = scores.of(table, r);
    const n = own.length;
    const rank = rankOf(coverage, n);
    const draw = randomized?.uniform();
    calibrationRows[r] = n;
    for (let k = 0; k < K; k++) {
      const p = probabilities[r * K + k];
      const less = countBelow(own, p - TIE);
      const more = n - countBelow(own, p + TIE);
      const tied = n - less - more + 1; // and the row itself
      pValues[r * K + k] = (less + (draw ?? 1) * tied) / (n + 1);
      const isIn = draw === undefined ? more < rank : pValues[r * K + k] > 1 - coverage;
      members[r * K + k] = isIn ? 1 : 0;
    }
    if (draw === undefined) members[r * K + decide(probabilities.subarray(r * K, (r + 1) * K)).class] = 1;
  }
  return { ...predictions, members, pValues, calibrationRows };
}

/** Rounding of (n + 1) · coverage: 10 · 0.9 is 9. */
const ROUNDING = 1e-9;

/** The rank ⌈(n + 1) · coverage⌉ of the score that a class must reach, the likeliest first; above n nothing is excluded. */
export function rankOf(coverage: number, n: number): number {
  return Math.ceil((n + 1) * coverage - ROUNDING);
}

/** The size of the cache of masks: 32 MB of numbers. */
const MOST_KEPT = 1 << 22;

/** Ascending scores of calibration rows under a mask. Each mask takes one pass over the rows and is cached. */
export class MaskScores {
  readonly #compute: (known: readonly boolean[]) => Float64Array;
  readonly #kept = new BoundedCache<string, Float64Array>(MOST_KEPT);

  /** @param compute the scores of the rows in which all of the known columns are known */
  constructor(compute: (known: readonly boolean[]) => Float64Array) {
    this.#compute = compute;
  }

  /** The scores for the missing columns of row `row` of a table. */
  of(table: Table, row: number): Float64Array {
    const known = table.columns.map((cells) => !isMissingCell(cells, row));
    const key = known.map(Number).join("");
    const found = this.#kept.get(key);
    if (found) return found;
    const scores = this.#compute(known).sort();
    return this.#kept.keep(key, scores, scores.length);
  }
}

const scoresOf = new WeakMap<Calibration, WeakMap<Model, MaskScores>>();

/** The scores of a calibration, cached as long as it and the model exist. */
export function maskScores(model: Model, calibration: Calibration): MaskScores {
  const byModel = memoize(scoresOf, calibration, () => new WeakMap<Model, MaskScores>());
  return memoize(
    byModel,
    model,
    () => new MaskScores((known) => trueProbabilities(model, calibration, known)),
  );
}

/**
 * The probabilities P(y_i | x_i,known) of the true classes of calibration rows under a mask. Only rows in which all of the known
 * columns are known are used, so that exactly the masked columns are missing.
 */
function trueProbabilities(model: Model, calibration: Calibration, known: readonly boolean[]): Float64Array {
  const { rows, table } = maskedRows(calibration, known);
  if (rows.length === 0) return new Float64Array(0);
  const { probabilities, classes } = predictColumns(model, table);
  const { labels } = calibration;
  return Float64Array.from(rows, (r, j) => probabilities[j * classes.length + labels[r]]);
}
