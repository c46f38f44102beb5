import type { NumericKind } from "conformant";
import type { Parsed } from "../arguments/command.ts";
import { readInteger, readNumber } from "../arguments/read-value.ts";
import { CliError } from "../errors.ts";

/** Settings of a fit, with their defaults in one place. */
export interface FitOptions {
  readonly pseudocount: number;
  readonly bins: number;
  /** What is trained. */
  readonly model: "logistic" | "trees";
  /** The penalty, or "auto" for the best of several by cross-validation. */
  readonly l2: number | "auto";
  /** The size of the mixture, or "auto" for the best by held-out rows with hidden cells. */
  readonly components: number | "auto";
  /** What describes numeric columns; "auto" chooses by held-out rows with hidden cells. */
  readonly numeric: NumericKind;
  /** The rows to train on: all, those with gaps completed by draws, or the complete ones only. */
  readonly trainOn: "all" | "complete";
  /** Whether the training is judged on rows it has not seen. */
  readonly crossValidation: boolean;
  readonly seed: number;
  /** Seconds that the choice of size and kind may take. */
  readonly timeLimit: number;
  /** Rows that are read into memory at most; more stay where they are and a sample of so many is read. */
  readonly sample?: number | undefined;
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
    pseudocount: readNumber(parsed, "pseudocount", 1, 0),
    bins: readInteger(parsed, "bins", 32, 1),
    l2: parsed.text("l2") === "auto" ? "auto" : readNumber(parsed, "l2", 1, 0),
    components:
      (parsed.text("components") ?? "auto") === "auto" ? "auto" : readInteger(parsed, "components", 1, 1),
    numeric: (parsed.text("numeric") ?? "auto") as NumericKind,
    crossValidation,
    trainOn: parsed.text("train-on") === "complete" ? "complete" : "all",
    seed: readInteger(parsed, "seed", 0, 0),
    timeLimit: readNumber(parsed, "time-limit", 60, 0),
    sample: parsed.text("sample") === undefined ? undefined : readInteger(parsed, "sample", 1, 1),
    checkpoint: checkpointOf(parsed),
    resume: parsed.flag("resume"),
  };
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
