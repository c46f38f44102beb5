import {
  type AnyModel,
  type Calibration,
  ConformantError,
  isRegression,
  loadCalibration,
  loadNumberCalibration,
  type Model,
  type NumberCalibration,
  predictionInterval,
  predictionSet,
  type RegressionModel,
} from "conformant";
import { CliError, quoted } from "../errors.ts";
import { readTextFile } from "../sources/files/read-whole-file.ts";

/** Reads a calibration file and checks that it belongs to this model; errors name the file. */
export function readCalibration(path: string, model: Model): Calibration;
export function readCalibration(path: string, model: RegressionModel): NumberCalibration;
export function readCalibration(path: string, model: AnyModel): Calibration | NumberCalibration;
export function readCalibration(path: string, model: AnyModel): Calibration | NumberCalibration {
  const text = readTextFile(path);
  try {
    if (isRegression(model)) {
      const calibration = loadNumberCalibration(text);
      predictionInterval(model, calibration, {});
      return calibration;
    }
    const calibration = loadCalibration(text);
    predictionSet(model, calibration, {});
    return calibration;
  } catch (cause) {
    if (!(cause instanceof ConformantError)) throw cause;
    const hint =
      cause.details.hint ?? "create one with conformant calibrate MODEL DATA --label COLUMN -o FILE";
    throw new CliError(cause.code, `${quoted(path)}: ${cause.message}`, { hint, cause });
  }
}
