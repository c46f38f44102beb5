import { ConformantError, show } from "../errors.ts";
import { integer, number, numbers, type OptionsOf, oneOf, readOptions, required, text } from "../options.ts";
import { shareOfDescent, Watch, type WatchOptions, watchOptions } from "../progress.ts";
import type { Data } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { type InferOptions, inferOptions, inferSchema } from "../schema/infer-schema.ts";
import { readNumbers } from "../schema/labels.ts";
import { checkWeights, findCompleteRows } from "../schema/rows.ts";
import { fitGlm } from "./fit-glm.ts";
import { createRegressor, type LinearRegressor, type RegressionReport } from "./linear-regressor.ts";

/** Options of {@link trainRegressor}. */
export interface TrainRegressorOptions extends InferOptions, WatchOptions {
  /** The column to learn, which holds numbers. */
  readonly label: string;
  /**
   * "gaussian": least squares, the number itself; "poisson": counts and rates from 0, and "gamma": numbers above 0, both with a log link.
   * Default "gaussian".
   */
  readonly family?: RegressionReport["family"] | undefined;
  /** Penalty ½·l2·‖w‖² on the weights of standardized columns, intercept free: the alpha of scikit-learn's Ridge. Default 1. */
  readonly l2?: number | undefined;
  /** Weight of each row. Default 1. */
  readonly weights?: ArrayLike<number> | undefined;
  /** Newton steps at most. Default 100. */
  readonly maxIterations?: number | undefined;
}

const trainRegressorOptions = {
  ...inferOptions,
  ...watchOptions,
  label: required(text(undefined)),
  family: oneOf(["gaussian", "poisson", "gamma"], "gaussian"),
  l2: number(1),
  weights: numbers(undefined),
  maxIterations: integer(100, { least: 1 }),
} satisfies OptionsOf<TrainRegressorOptions>;

/**
 * Trains an L2-penalized linear regression, or a Poisson or gamma regression with a log link. Numeric columns are standardized inside and
 * the weights given back on the original scale. Rows with a missing value are left out and counted in the result's `training`.
 *
 *     const regressor = trainRegressor(rows, { label: "price" });
 */
export function trainRegressor(data: Data, options: TrainRegressorOptions): LinearRegressor {
  const read = readOptions(options, trainRegressorOptions);
  const { label, columns, exclude = [], types, family, l2, maxIterations } = read;
  const watch = new Watch(read, "training");
  const labels = readNumbers(data, label);
  const schema = inferSchema(data, { columns, exclude: [...exclude, label], types });
  const table = encode(schema, data);
  const weights = checkWeights(read.weights, table.rows);
  const rows = findCompleteRows(table).filter((r) => !Number.isNaN(labels[r]) && (weights?.[r] ?? 1) > 0);
  if (rows.length === 0) {
    const message = `trainRegressor needs complete rows to learn from, but each of the ${table.rows} rows has a missing value, no label, or a weight of 0`;
    throw new ConformantError("empty-data", message);
  }
  const y = Float64Array.from(rows, (r) => labels[r]);
  checkRange(y, family, label);
  const fit = fitGlm(table, rows, y, {
    family,
    l2,
    maxIterations,
    rowWeights: weights && Float64Array.from(rows, (r) => weights[r]),
    step: (first, now, enough) => watch.step(shareOfDescent(first, now, enough)),
  });
  const { status, iterations, objective } = fit;
  return createRegressor({
    schema,
    output: label,
    label,
    link: family === "gaussian" ? "identity" : "log",
    intercept: fit.intercept,
    weights: fit.weights,
    training: {
      family,
      status,
      iterations,
      objective,
      l2,
      rows: rows.length,
      rowsWithGaps: table.rows - rows.length,
    },
  });
}

function checkRange(y: Float64Array, family: RegressionReport["family"], label: string): void {
  if (family === "gaussian") return;
  const bad = y.find((value) => !(family === "gamma" ? value > 0 : value >= 0));
  if (bad === undefined && (family === "gamma" || y.some((value) => value > 0))) return;
  const need = family === "gamma" ? "numbers above 0" : "numbers of at least 0, not all 0";
  const message = `label ${show(label)} must have ${need} for family ${show(family)}, got ${bad ?? 0}`;
  throw new ConformantError("invalid-value", message, { column: label, value: bad ?? 0 });
}
