import { ConformantError, requireInteger, requireNumber, show } from "../../errors.ts";
import type { CountOptions } from "../../marginals/count-marginals.ts";
import type { ThreadOptions } from "../../threads/threads.ts";
import type { WatchOptions } from "../../watch.ts";
import { defaultMixtureSettings, type MixtureSettings } from "../mixture/mixture-settings.ts";
import { type ChoiceSettings, defaultChoice } from "./choose-components.ts";
import type { JudgeTrials } from "./judge.ts";
import type { NumericOption } from "./numeric-blocks.ts";

/** Options of {@link conformMixture}. */
export interface MixtureOptions
  extends Partial<MixtureSettings>,
    Partial<ChoiceSettings>,
    Pick<CountOptions, "weights" | "strict">,
    WatchOptions,
    ThreadOptions {
  /**
   * How many components, with no more than there are rows, or "auto": 1, 2, 4, 8, … compared by their answers to held-out rows with
   * hidden cells. Default "auto".
   */
  readonly components?: number | "auto";
  /**
   * What describes numeric columns: "atoms", each by itself as in the paper; "gaussian", all of them together with their
   * correlations; "auto", what answers held-out rows with hidden cells best; or the names of the columns to describe together.
   * Default "auto".
   */
  readonly numeric?: NumericOption;
  /** Who judges the candidates of a choice: threads, say. The choice is the same. Default: this call, one after the other. */
  readonly judging?: JudgeTrials | undefined;
}

/** A smaller ridge is lost in the rounding of a covariance and would keep nothing regular. */
const LEAST_RIDGE = 1e-10;

/** The settings of the choice, or undefined where the number of components is given. */
export function checkChoice(options: MixtureOptions): ChoiceSettings | undefined {
  const { components = "auto", most, patience, timeLimit } = { ...defaultChoice, ...options };
  if (typeof components === "number") return undefined;
  if (components !== "auto") {
    const message = `options.components must be a whole number or "auto", got ${show(components)}`;
    throw new ConformantError("invalid-argument", message, {
      argument: "options.components",
      value: components,
    });
  }
  return {
    most: requireInteger("options.most", most, 1),
    patience: requireInteger("options.patience", patience, 1),
    timeLimit: requireNumber("options.timeLimit", timeLimit, 0),
  };
}

/** Checks the settings that were given and adds the defaults. */
export function checkSettings(options: MixtureOptions): MixtureSettings {
  const given = { ...defaultMixtureSettings, ...options };
  return {
    pseudocount: requireNumber("options.pseudocount", given.pseudocount, 0),
    shrinkage: requireNumber("options.shrinkage", given.shrinkage, 0),
    ridge: Math.max(LEAST_RIDGE, requireNumber("options.ridge", given.ridge, 0)),
    bins: requireInteger("options.bins", given.bins, 1),
    tolerance: requireNumber("options.tolerance", given.tolerance, 0),
    maxSteps: requireInteger("options.maxSteps", given.maxSteps, 1),
    restarts: requireInteger("options.restarts", given.restarts, 1),
    seed: requireInteger("options.seed", given.seed, 0),
  };
}
