import type { MissingOption, NumericKind } from "conformant";
import { type TrainingOptions, USUAL_TRAINING } from "conformant-workbench";
import { CliError } from "../errors.ts";
import type { Parsed } from "./command.ts";
import { readThreads } from "./read-threads.ts";
import { readInteger, readNumber } from "./read-value.ts";

/** Settings of a fit. */
export interface FitOptions extends TrainingOptions {
  /** Threads that compare candidates, where their number is given; the model does not depend on it. */
  readonly threads: number | undefined;
  /** The file of the checkpoint of a fit in an engine, and whether to resume from it. */
  readonly checkpoint?: string | undefined;
  readonly resume: boolean;
}

export function readFitOptions(parsed: Parsed): FitOptions {
  const model = (parsed.text("model") ?? USUAL_TRAINING.model) as TrainingOptions["model"];
  if (model === "trees" && parsed.text("l2") === "auto")
    throw new CliError("usage", "--l2 auto cannot be combined with --model trees");
  return {
    model,
    pseudocount: readNumber(parsed, "pseudocount", USUAL_TRAINING.pseudocount, 0),
    bins: readInteger(parsed, "bins", USUAL_TRAINING.bins, 1),
    l2: (parsed.text("l2") ?? "auto") === "auto" ? "auto" : readNumber(parsed, "l2", 1, 0),
    components:
      (parsed.text("components") ?? "auto") === "auto" ? "auto" : readInteger(parsed, "components", 1, 1),
    numeric: (parsed.text("numeric") ?? USUAL_TRAINING.numeric) as NumericKind,
    crossValidation: !parsed.flag("no-cross-validation"),
    trainOn: parsed.text("train-on") === "complete" ? "complete" : "all",
    gaps: readMissing(parsed),
    seed: readInteger(parsed, "seed", USUAL_TRAINING.seed, 0),
    timeLimit: readNumber(parsed, "time-limit", USUAL_TRAINING.timeLimit, 0),
    bounds: USUAL_TRAINING.bounds,
    threads: readThreads(parsed),
    sample: parsed.text("sample") === undefined ? undefined : readInteger(parsed, "sample", 1, 1),
    checkpoint: checkpointOf(parsed),
    resume: parsed.flag("resume"),
  };
}

/** Whether missing values are evidence, learned from the labels of incomplete rows. */
function readMissing(parsed: Parsed): MissingOption {
  const missing = parsed.text("missing") as "random" | "informative" | "auto" | undefined;
  const against = [
    parsed.text("train-on") === "complete" && "--train-on complete",
    parsed.text("components") === "1" && "--components 1",
  ].find((one) => one !== false);
  if (missing !== undefined && missing !== "random" && against)
    throw new CliError("usage", `--missing ${missing} cannot be combined with ${against}`);
  return against ? "random" : (missing ?? USUAL_TRAINING.gaps);
}

/** The checkpoint file: the given one, or one beside the model file; none where the model goes to standard output (-). */
function checkpointOf(parsed: Parsed): string | undefined {
  const [named, output] = [parsed.text("checkpoint"), parsed.text("output")];
  const beside = output === undefined || output === "-" ? undefined : `${output}.checkpoint`;
  if (parsed.flag("resume") && named === undefined && beside === undefined)
    throw new CliError(
      "usage",
      "--resume requires --checkpoint FILE where the model goes to standard output",
    );
  return named ?? beside;
}
