import { ConformantError, requireInteger, requireNumber, requireOptions } from "../../errors.ts";
import type { Data, Table } from "../../schema/data.ts";
import { encode } from "../../schema/encode.ts";
import { type InferOptions, inferSchema } from "../../schema/infer-schema.ts";
import { readLabels } from "../../schema/labels.ts";
import { findCompleteRows } from "../../schema/rows/complete-rows.ts";
import { checkWeights } from "../../schema/weights.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { type Classifier, createClassifier } from "../classifier.ts";
import { fitLogistic } from "./fit-logistic.ts";

/** Options of {@link train}. */
export interface TrainOptions extends InferOptions, WatchOptions {
  /** The column to learn. */
  readonly label: string;
  /** Penalty ½·l2·‖w‖² on the weights of standardised columns, intercept free: scikit-learn's C is 1/l2. Default 1. */
  readonly l2?: number;
  /** Weight of each row. Default 1. */
  readonly weights?: ArrayLike<number>;
  /** Stop when no entry of the gradient of the mean penalised loss is larger than this. Default 1e-6. */
  readonly tolerance?: number;
  /** Default 1000. */
  readonly maxIterations?: number;
}

/**
 * Trains an L2-penalised logistic regression, binary or multinomial. Numeric columns are standardised inside and the
 * weights given back on the original scale. Rows with a gap are left out and counted in the result's `training`.
 */
export function train(data: Data, options: TrainOptions): Classifier {
  requireOptions(options);
  const { label } = options;
  const watch = new Watch(options, "training");
  const { classes, codes } = readLabels(data, label);
  const schema = inferSchema(data, { ...options, exclude: [...(options.exclude ?? []), label] });
  const table = encode(schema, data);
  const rowWeights = checkWeights(options.weights, table.rows);
  const rows = usableRows(table, codes, rowWeights);
  if (rows.length === 0) {
    const why =
      findCompleteRows(table).length === 0
        ? `each of the ${table.rows} rows has a gap`
        : "those there are have no label, or a weight of 0";
    throw new ConformantError("empty-data", `train needs complete rows to learn from, but ${why}`);
  }
  const l2 = requireNumber("options.l2", options.l2 ?? 1, 0);
  const labels = rows.map((r) => codes[r]);
  const { intercept, weights, status, iterations, gradientNorm, objective } = fitLogistic(
    table,
    rows,
    labels,
    classes.length,
    {
      l2,
      tolerance: requireNumber("options.tolerance", options.tolerance ?? 1e-6, 0),
      maxIterations: requireInteger("options.maxIterations", options.maxIterations ?? 1000, 1),
      rowWeights: rowWeights && Float64Array.from(rows, (r) => rowWeights[r]),
      watch,
    },
  );
  const counted = { l2, rows: rows.length, rowsWithGaps: table.rows - rows.length };
  const training = { status, iterations, gradientNorm, objective, ...counted };
  return createClassifier({ schema, classes, label, intercept, weights, training });
}

/** Rows with a label, a positive weight and no gap in any column. */
export function usableRows(table: Table, codes: Int32Array, weights: Float64Array | undefined): Int32Array {
  return findCompleteRows(table).filter((r) => codes[r] >= 0 && (weights?.[r] ?? 1) > 0);
}
