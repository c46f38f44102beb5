import type { Model } from "conformant";
import type { AddedRequest, SetRequest } from "conformant-workbench";
import { CliError } from "../errors.ts";
import type { OptionSpecs, Parsed } from "../options/command.ts";
import { readInteger, readProbability } from "../options/read-value.ts";
import { readCalibration } from "./read-calibration.ts";

/** Options that ask for more columns beside each prediction. */
export const addedOptions: OptionSpecs = {
  interval: { help: "add interval_low, interval_high and same_decision: if everything were known" },
  level: { takes: "P", help: "the share of the possibilities that the interval holds", initially: "0.9" },
  explain: { help: "add sufficient, opposing and explanation: why" },
  surprise: { help: "add log_evidence and typicality: is the row like the data" },
  set: {
    takes: "P",
    help: "add set: classes that hold the true one with this probability, whatever is missing; needs --calibration",
  },
  calibration: { takes: "FILE", help: "with --set: labelled rows, as conformant calibrate writes them" },
  randomised: { help: "with --set: draws decide about the border, so that the probability is met exactly" },
  seed: { takes: "N", help: "decides what is drawn at random for the added columns", initially: "0" },
};

/** What is asked of every row besides its prediction. */
export function readAdded(parsed: Parsed, model: Model): AddedRequest {
  const level = readProbability(parsed, "level", 0.9);
  return {
    interval: parsed.flag("interval") ? level : undefined,
    explain: parsed.flag("explain"),
    surprise: parsed.flag("surprise"),
    sets: readSets(parsed, model),
    seed: readInteger(parsed, "seed", 0, 0),
  };
}

/** The sets that are asked for, after a look whether the calibration is of this model. */
function readSets(parsed: Parsed, model: Model): SetRequest | undefined {
  const [text, file] = [parsed.text("set"), parsed.text("calibration")];
  if (text === undefined) {
    const idle = ["calibration", "randomised"].find((name) => parsed.flag(name));
    if (idle) throw new CliError("usage", `--${idle} needs --set P, the probability that sets are to have`);
    return undefined;
  }
  if (parsed.flag("shift"))
    throw new CliError("usage", "--set and --shift cannot both be had: sets hold where gaps are at random");
  const coverage = readCoverage(parsed);
  if (file === undefined)
    throw new CliError("usage", "--set needs --calibration FILE", {
      hint: "conformant calibrate MODEL DATA --label COLUMN -o FILE makes one, of rows that the model has not learned from",
    });
  return { coverage, calibration: readCalibration(file, model), randomised: parsed.flag("randomised") };
}

/** The probability after --set, 0.9 without it. */
export function readCoverage(parsed: Parsed): number {
  return readProbability(parsed, "set", 0.9);
}
