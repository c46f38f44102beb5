import type { Parsed } from "../arguments/command.ts";
import { readInteger, readNumber } from "../arguments/read-value.ts";
import { CliError } from "../errors.ts";

/** Settings of a fit, with their defaults in one place. */
export interface FitOptions {
  readonly pseudocount: number;
  readonly bins: number;
  /** The penalty, or "auto" for the best of several by cross-validation. */
  readonly l2: number | "auto";
  readonly components: number;
  readonly seed: number;
}

export function readFitOptions(parsed: Parsed): FitOptions {
  return {
    pseudocount: readNumber(parsed, "pseudocount", 1, 0),
    bins: readInteger(parsed, "bins", 32, 1),
    l2: parsed.text("l2") === "auto" ? "auto" : readNumber(parsed, "l2", 1, 0),
    components: readComponents(parsed),
    seed: readInteger(parsed, "seed", 0, 0),
  };
}

/** One component is the paper's method and all there is so far; "auto" chooses among what there is. */
function readComponents(parsed: Parsed): number {
  if (parsed.text("numeric") === "gaussian") {
    throw new CliError("not-available", "--numeric gaussian is not available yet, only atoms");
  }
  if (parsed.text("components") === "auto") return 1;
  const components = readInteger(parsed, "components", 1, 1);
  if (components === 1) return 1;
  throw new CliError("not-available", `--components ${components} is not available yet, only 1 or auto`);
}
