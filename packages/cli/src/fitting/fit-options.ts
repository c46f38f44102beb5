import type { NumericKind } from "conformant";
import type { Parsed } from "../arguments/command.ts";
import { readInteger, readNumber } from "../arguments/read-value.ts";

/** Settings of a fit, with their defaults in one place. */
export interface FitOptions {
  readonly pseudocount: number;
  readonly bins: number;
  /** The penalty, or "auto" for the best of several by cross-validation. */
  readonly l2: number | "auto";
  /** The size of the mixture, or "auto" for the best by held-out likelihood. */
  readonly components: number | "auto";
  /** What describes numeric columns; "auto" chooses by held-out likelihood. */
  readonly numeric: NumericKind;
  /** The rows to train on: all, those with gaps completed by draws, or the complete ones only. */
  readonly trainOn: "all" | "complete";
  readonly seed: number;
}

export function readFitOptions(parsed: Parsed): FitOptions {
  return {
    pseudocount: readNumber(parsed, "pseudocount", 1, 0),
    bins: readInteger(parsed, "bins", 32, 1),
    l2: parsed.text("l2") === "auto" ? "auto" : readNumber(parsed, "l2", 1, 0),
    components:
      (parsed.text("components") ?? "auto") === "auto" ? "auto" : readInteger(parsed, "components", 1, 1),
    numeric: (parsed.text("numeric") ?? "auto") as NumericKind,
    trainOn: parsed.text("train-on") === "complete" ? "complete" : "all",
    seed: readInteger(parsed, "seed", 0, 0),
  };
}
