import { type AnyModel, isRegression } from "conformant";
import type { AddedRequest } from "conformant-workbench";
import { grouped, type OptionSpecs, type Parsed } from "../options/command.ts";
import { readInteger, readProbability } from "../options/read-value.ts";
import { readCalibration } from "./read-calibration.ts";

/** Options that add columns to each prediction. */
export const addedOptions: OptionSpecs = grouped("Added columns", {
  interval: {
    shareOf: "level",
    help: "add interval_low, interval_high and, for classes, same_decision: where the probability or number would lie if every value were known",
  },
  level: {
    takes: "P",
    requires: ["interval"],
    help: "probability that the interval covers",
    initially: "0.9",
  },
  explain: { help: "add sufficient, opposing and explanation: the reasons for the prediction" },
  surprise: { help: "add log_evidence and typicality: how likely the row is under the model" },
  set: {
    takes: "P",
    requires: ["calibration"],
    excludes: ["shift"],
    help: "add set: a prediction set that covers the true class with probability P; of a number outcome_low and outcome_high",
  },
  calibration: {
    takes: "FILE",
    requires: ["set"],
    help: "calibration set, as conformant calibrate writes it",
  },
  randomized: {
    formerly: "randomised",
    requires: ["set"],
    help: "randomize prediction sets, so that their coverage is exact",
  },
});

/** What is added to every prediction. */
export function readAdded(parsed: Parsed, model: AnyModel): AddedRequest {
  const level = readProbability(parsed, "level", 0.9);
  return {
    interval: parsed.flag("interval") ? level : undefined,
    explain: parsed.flag("explain"),
    surprise: parsed.flag("surprise"),
    sets: readSets(parsed, model),
    seed: readInteger(parsed, "seed", 0, 0),
  };
}

/** The prediction sets or intervals to add, after checking that the calibration belongs to this model. */
function readSets(parsed: Parsed, model: AnyModel): AddedRequest["sets"] {
  const [text, file] = [parsed.text("set"), parsed.text("calibration")];
  if (text === undefined || file === undefined) return undefined;
  const coverage = readCoverage(parsed);
  if (isRegression(model)) return { coverage, calibration: readCalibration(file, model) };
  return { coverage, calibration: readCalibration(file, model), randomized: parsed.flag("randomized") };
}

/** The coverage of --set (default: 0.9). */
export function readCoverage(parsed: Parsed): number {
  return readProbability(parsed, "set", 0.9);
}
