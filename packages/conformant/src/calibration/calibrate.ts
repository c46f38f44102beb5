import { ConformantError, requireMade, show } from "../errors.ts";
import { type AnyModel, isRegression, type Model, type RegressionModel } from "../model/model.ts";
import { checksumOf } from "../model/save-model.ts";
import { type OptionsOf, readOptions, text } from "../options.ts";
import { type QueryOptions, queryOptions } from "../questions/row-input.ts";
import { type Data, emptyLike, isMissingCell, missingLike, type Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { readNumbers } from "../schema/labels.ts";
import { pickRows } from "../schema/rows.ts";

/** Labeled rows that the model was not fitted on, with which its probabilities are compared. */
export interface Calibration {
  /** The checksum of its model. */
  readonly model: string;
  readonly table: Table;
  /** The class of each row, by its position. */
  readonly labels: Int32Array;
}

/** The same for a model of a number. */
export interface NumberCalibration extends Omit<Calibration, "labels"> {
  /** The true number of each row. */
  readonly labels: Float64Array;
}

/** Where the labels are, and how strictly names are read. */
export interface CalibrateOptions extends QueryOptions {
  /** The column with the true classes or numbers. Default the label that the model was trained with. */
  readonly label?: string | undefined;
}

/** How {@link CalibrateOptions} are read. */
const calibrateOptions = {
  ...queryOptions,
  label: text(undefined),
} satisfies OptionsOf<CalibrateOptions>;

/**
 * Stores labeled rows for {@link predictionSet} or {@link predictionInterval}. The model must not have been fitted on them, because it is
 * better on those than on new ones. Rows without a label are skipped; rows may have missing values.
 *
 *     const calibration = calibrate(model, heldOutRows, { label: "outcome" });
 */
export function calibrate(model: Model, data: Data, options?: CalibrateOptions): Calibration;
export function calibrate(model: RegressionModel, data: Data, options?: CalibrateOptions): NumberCalibration;
export function calibrate(
  model: AnyModel,
  data: Data,
  options?: CalibrateOptions,
): Calibration | NumberCalibration;
export function calibrate(
  model: AnyModel,
  data: Data,
  options: CalibrateOptions = {},
): Calibration | NumberCalibration {
  requireMade("model", model);
  const { label = model.predictor.label, ...reading } = readOptions(options, calibrateOptions);
  const what = isRegression(model) ? "a number" : "a class";
  if (typeof label !== "string" || label === "") {
    const message = `options.label must be the name of the column with ${what} per row, got ${show(label)}`;
    throw new ConformantError("invalid-argument", message, { argument: "options.label", value: label });
  }
  const labels = isRegression(model) ? readNumbers(data, label) : readClasses(model, data, label);
  const table = encode(model.schema, data, { ...reading, label });
  const labeled = Int32Array.from(labels.keys()).filter(
    (r) => labels[r] >= 0 || (isRegression(model) && !Number.isNaN(labels[r])),
  );
  if (labeled.length === 0) {
    const message = `no row has ${what} in ${show(label)}, expected one or more`;
    throw new ConformantError("empty-data", message, { argument: "data" });
  }
  const own = { model: checksumOf(model), table: pickRows(table, labeled) };
  return isRegression(model)
    ? { ...own, labels: Float64Array.from(labeled, (r) => labels[r]) }
    : { ...own, labels: Int32Array.from(labeled, (r) => labels[r]) };
}

/** The position of each row's class, −1 where the label is missing. */
function readClasses(model: Model, data: Data, label: string): Int32Array {
  const { outputs: classes } = model.response;
  const { columns, unseen } = encode(
    { columns: [{ name: label, kind: "categorical", values: classes }] },
    data,
  );
  if (unseen.length > 0) {
    const message = `label ${show(label)}: expected ${classes.map(show).join(", ")}, got ${show(unseen[0].examples[0])}`;
    throw new ConformantError("unknown-class", message, { column: label, value: unseen[0].examples[0] });
  }
  return Int32Array.from(columns[0]);
}

/** Throws unless a value is a calibration of this model. */
export function requireCalibration(model: AnyModel, calibration: Calibration | NumberCalibration): void {
  requireMade("model", model);
  requireMade("calibration", calibration);
  if (calibration.model !== checksumOf(model)) {
    const message = `the calibration is for a model with checksum ${show(calibration.model)}, this one has ${show(checksumOf(model))}`;
    throw new ConformantError("calibration-mismatch", message, {
      argument: "calibration",
      value: calibration.model,
      hint: "calibrate this model with rows that it has not learned from",
    });
  }
  const { length: K } = model.response.outputs;
  const [fits, need] = isRegression(model)
    ? [Number.isFinite, "finite numbers"]
    : [(k: number) => k >= 0 && k < K, `positions of the model's ${K} classes`];
  const wrong = Array.prototype.find.call(calibration.labels, (label) => !fits(label));
  if (wrong === undefined) return;
  const message = `calibration.labels must be ${need}, got ${show(wrong)}`;
  throw new ConformantError("invalid-argument", message, { argument: "calibration.labels", value: wrong });
}

/**
 * The calibration rows in which all of the known columns are known, with exactly the other columns missing.
 *
 * @param known per column
 */
export function maskedRows(
  { table, labels }: Calibration | NumberCalibration,
  known: readonly boolean[],
): { readonly rows: Int32Array; readonly table: Table } {
  const rows = Int32Array.from({ length: labels.length }, (_, r) => r).filter((r) =>
    table.columns.every((cells, i) => !known[i] || !isMissingCell(cells, r)),
  );
  const picked = pickRows(table, rows);
  const columns = picked.columns.map((cells, i) =>
    known[i] ? cells : emptyLike(cells, rows.length).fill(missingLike(cells)[0]),
  );
  return { rows, table: { ...picked, columns } };
}
