import { ConformantError, requireMade, show } from "../errors.ts";
import type { Model } from "../model/model.ts";
import { checksumOf } from "../model/save-model.ts";
import { type OptionsOf, readOptions, text } from "../options.ts";
import { type QueryOptions, queryOptions } from "../questions/row-input.ts";
import type { Data, Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { pickRows } from "../schema/rows.ts";

/** Labeled rows that the model was not fitted on, with which its probabilities are compared. */
export interface Calibration {
  /** The checksum of its model. */
  readonly model: string;
  readonly table: Table;
  /** The class of each row, by its position. */
  readonly labels: Int32Array;
}

/** Where the classes are, and how strictly names are read. */
export interface CalibrateOptions extends QueryOptions {
  /** The column with the classes. Default the label that the model was trained with. */
  readonly label?: string | undefined;
}

/** How {@link CalibrateOptions} are read. */
const calibrateOptions = {
  ...queryOptions,
  label: text(undefined),
} satisfies OptionsOf<CalibrateOptions>;

/**
 * Stores labeled rows for {@link predictionSet}. The model must not have been fitted on them, because it is better on those than on new
 * ones. Rows without a label are skipped; rows may have missing values.
 *
 *     const calibration = calibrate(model, heldOutRows, { label: "outcome" });
 */
export function calibrate(model: Model, data: Data, options: CalibrateOptions = {}): Calibration {
  requireMade("model", model);
  const { label = model.predictor.label, ...reading } = readOptions(options, calibrateOptions);
  const labels = readClasses(model, data, label);
  const table = encode(model.schema, data, { ...reading, label });
  const labelled = Int32Array.from(labels.keys()).filter((r) => labels[r] >= 0);
  if (labelled.length === 0) {
    const message = `no row has a class in ${show(label)}, expected one or more`;
    throw new ConformantError("empty-data", message, { argument: "data" });
  }
  return {
    model: checksumOf(model),
    table: pickRows(table, labelled),
    labels: labels.filter((class_) => class_ >= 0),
  };
}

/** The position of each row's class, −1 where the label is missing. */
function readClasses(model: Model, data: Data, label: string | undefined): Int32Array {
  if (typeof label !== "string" || label === "") {
    const message = `options.label must be the name of the column with the classes, got ${show(label)}`;
    throw new ConformantError("invalid-argument", message, { argument: "options.label", value: label });
  }
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
export function requireCalibration(model: Model, calibration: Calibration): void {
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
  const wrong = calibration.labels.find((k) => !(k >= 0 && k < K));
  if (wrong === undefined) return;
  const message = `calibration.labels must be positions of the model's ${K} classes, got ${show(wrong)}`;
  throw new ConformantError("invalid-argument", message, { argument: "calibration.labels", value: wrong });
}
