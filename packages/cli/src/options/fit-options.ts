import type { GapsOption, NumericKind } from "conformant";
import { type TrainingOptions, USUAL_TRAINING } from "conformant-workbench";
import { CliError } from "../errors.ts";
import type { Parsed } from "./command.ts";
import { readThreads } from "./read-threads.ts";
import { readInteger, readNumber } from "./read-value.ts";

/** Settings of a fit. */
export interface FitOptions extends TrainingOptions {
  /** Threads that compare candidates, where somebody has said how many; the model is the same for any number. */
  readonly threads: number | undefined;
  /** Where the state of a fit in the engine is kept, and whether to go on from it. */
  readonly checkpoint?: string | undefined;
  readonly resume: boolean;
}

export function readFitOptions(parsed: Parsed): FitOptions {
  const crossValidation = !parsed.flag("no-cross-validation");
  if (!crossValidation && parsed.text("l2") === "auto")
    throw new CliError("usage", "--l2 auto chooses by cross-validation, which --no-cross-validation forbids");
  const model = parsed.text("model") === "trees" ? "trees" : "logistic";
  if (model === "trees" && parsed.text("l2") === "auto")
    throw new CliError(
      "usage",
      "--l2 auto is for logistic regression; trees end their training by held-out rows",
    );
  if (parsed.text("model") !== undefined && parsed.text("classifier") !== undefined)
    throw new CliError(
      "usage",
      "--model says what to train, and --classifier brings what was trained elsewhere",
    );
  return {
    model,
    pseudocount: readNumber(parsed, "pseudocount", USUAL_TRAINING.pseudocount, 0),
    bins: readInteger(parsed, "bins", USUAL_TRAINING.bins, 1),
    l2: parsed.text("l2") === "auto" ? "auto" : readNumber(parsed, "l2", 1, 0),
    components:
      (parsed.text("components") ?? "auto") === "auto" ? "auto" : readInteger(parsed, "components", 1, 1),
    numeric: (parsed.text("numeric") ?? USUAL_TRAINING.numeric) as NumericKind,
    crossValidation,
    trainOn: parsed.text("train-on") === "complete" ? "complete" : "all",
    gaps: gapsOf(parsed),
    seed: readInteger(parsed, "seed", USUAL_TRAINING.seed, 0),
    timeLimit: readNumber(parsed, "time-limit", USUAL_TRAINING.timeLimit, 0),
    threads: readThreads(parsed),
    sample: parsed.text("sample") === undefined ? undefined : readInteger(parsed, "sample", 1, 1),
    checkpoint: checkpointOf(parsed),
    resume: parsed.flag("resume"),
  };
}

/** Whether the classifier has weights for missing values, which are learned from the labels of rows that have them. */
function gapsOf(parsed: Parsed): GapsOption {
  const gaps = (parsed.text("gaps") ?? USUAL_TRAINING.gaps) as GapsOption;
  const against = [
    parsed.text("classifier") !== undefined && "--classifier, which brings what was trained elsewhere",
    parsed.text("model") === "trees" && "--model trees",
    parsed.text("train-on") === "complete" && "--train-on complete, which leaves rows with gaps out",
    parsed.text("components") === "1" && "--components 1, which has nothing to tell patterns apart by",
  ].find((one) => one !== false);
  if (gaps !== "random" && against) throw new CliError("usage", `--gaps ${gaps} does not go with ${against}`);
  return gaps;
}

/** The file of the checkpoint: as it is called, or beside the model where that goes to a file. */
function checkpointOf(parsed: Parsed): string | undefined {
  const [named, output] = [parsed.text("checkpoint"), parsed.text("output")];
  if (named === undefined && output === undefined && parsed.flag("resume"))
    throw new CliError(
      "usage",
      "--resume needs --output FILE or --checkpoint FILE to find the checkpoint by",
    );
  return named ?? (output === undefined ? undefined : `${output}.checkpoint`);
}
