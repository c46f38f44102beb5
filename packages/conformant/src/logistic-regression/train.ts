import { type Classifier, createClassifier } from "../additive/classifier.ts";
import { ConformantError } from "../errors.ts";
import { having, integer, number, numbers, type OptionsOf, readOptions, required, text } from "../options.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import { type Schema, slotOffsets } from "../schema/column.ts";
import type { Data, Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { type InferOptions, inferOptions, inferSchema } from "../schema/infer-schema.ts";
import { readLabels } from "../schema/labels.ts";
import { checkWeights, findCompleteRows } from "../schema/rows.ts";
import { fitLogistic } from "./fit-logistic.ts";

/** Options of {@link train}. */
export interface TrainOptions extends InferOptions, WatchOptions {
  /** The column to learn. */
  readonly label: string;
  /** Penalty ½·l2·‖w‖² on the weights of standardised columns, intercept free: scikit-learn's C is 1/l2. Default 1. */
  readonly l2?: number | undefined;
  /** Weight of each row. Default 1. */
  readonly weights?: ArrayLike<number> | undefined;
  /** A classifier of the same columns and classes to begin with: the result is the same, and found sooner where it is near. */
  readonly start?: Classifier | undefined;
  /** Stop when no entry of the gradient of the mean penalized loss is larger than this. Default 1e-6. */
  readonly tolerance?: number | undefined;
  /** Steps of the minimizer at most. Default 1000. */
  readonly maxIterations?: number | undefined;
}

/** How {@link TrainOptions} are read. */
export const trainOptions = {
  ...inferOptions,
  ...watchOptions,
  label: required(text(undefined)),
  l2: number(1),
  weights: numbers(undefined),
  start: having<Classifier>("a classifier", { weights: "object", intercept: "object" }),
  tolerance: number(1e-6),
  maxIterations: integer(1000, { least: 1 }),
} satisfies OptionsOf<TrainOptions>;

/**
 * Trains an L2-penalised logistic regression, binary or multinomial. Numeric columns are standardised inside and the
 * weights given back on the original scale. Rows with a gap are left out and counted in the result's `training`.
 *
 *     const classifier = train(rows, { label: "outcome" });
 */
export function train(data: Data, options: TrainOptions): Classifier {
  const read = readOptions(options, trainOptions);
  const { label, columns, exclude = [], types, l2, tolerance, maxIterations } = read;
  const watch = new Watch(read, "training");
  const { classes, codes } = readLabels(data, label);
  const schema = inferSchema(data, { columns, exclude: [...exclude, label], types });
  const table = encode(schema, data);
  const rowWeights = checkWeights(read.weights, table.rows);
  const rows = usableRows(table, codes, rowWeights);
  if (rows.length === 0) {
    const why =
      findCompleteRows(table).length === 0
        ? `each of the ${table.rows} rows has a missing value`
        : "those there are have no label, or a weight of 0";
    throw new ConformantError("empty-data", `train needs complete rows to learn from, but ${why}`);
  }
  const labels = rows.map((r) => codes[r]);
  if (read.start) checkStart(read.start, schema, classes);
  const { intercept, weights, status, iterations, gradientNorm, objective } = fitLogistic(
    table,
    rows,
    labels,
    classes.length,
    {
      l2,
      tolerance,
      maxIterations,
      start: read.start,
      rowWeights: rowWeights && Float64Array.from(rows, (r) => rowWeights[r]),
      watch,
    },
  );
  const counted = { l2, rows: rows.length, rowsWithGaps: table.rows - rows.length };
  const training = { status, iterations, gradientNorm, objective, ...counted };
  return createClassifier({ schema, classes, label, intercept, weights, training });
}

/** Throws unless the weights to begin with are those of the same columns and classes. */
function checkStart({ weights, intercept }: Classifier, schema: Schema, classes: readonly string[]): void {
  const expected = slotOffsets(schema)[schema.columns.length] * classes.length;
  if (weights.length === expected && intercept.length === classes.length) return;
  const message = `options.start must have ${expected} weights and ${classes.length} intercepts, got ${weights.length} and ${intercept.length}`;
  throw new ConformantError("invalid-argument", message, { argument: "options.start" });
}

/** Rows with a label, a positive weight and no gap in any column. */
export function usableRows(table: Table, codes: Int32Array, weights: Float64Array | undefined): Int32Array {
  return findCompleteRows(table).filter((r) => codes[r] >= 0 && (weights?.[r] ?? 1) > 0);
}
