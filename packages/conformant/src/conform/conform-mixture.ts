import type { Classifier } from "../classifier/classifier.ts";
import { ConformantError, requireInteger, requireNumber, show } from "../errors.ts";
import type { CountOptions } from "../marginals/count-marginals.ts";
import type { Certificate } from "../model/certificate.ts";
import type { Model } from "../model/model.ts";
import type { Data } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { checkWeights } from "../schema/weights.ts";
import { conformityError } from "./certify.ts";
import {
  bestSize,
  type ChoiceSettings,
  chooseComponents,
  defaultChoice,
  type HeldOutScore,
} from "./choose-components.ts";
import type { EmResult, MixtureProblem } from "./em.ts";
import { fitRows } from "./fit-rows.ts";
import { defaultMixtureSettings, type MixtureSettings } from "./mixture-settings.ts";

/** Options of {@link conformMixture}. */
export interface MixtureOptions
  extends Partial<MixtureSettings>,
    Partial<ChoiceSettings>,
    Pick<CountOptions, "weights" | "strict"> {
  /** How many components, or "auto": 1, 2, 4, 8, … compared by the likelihood of held-out rows. Default "auto". */
  readonly components?: number | "auto";
}

/**
 * Fits a mixture of naive conformant distributions: it conforms with the classifier as each of them does, and drops the
 * assumption that columns are independent given the class. Rows may have gaps; they are fitted by what is known of them.
 */
export function conformMixture(classifier: Classifier, data: Data, options: MixtureOptions = {}): Model {
  const settings = checkSettings(options);
  const choice = checkChoice(options);
  const table = encode(classifier.schema, data, options);
  if (table.rows === 0)
    throw new ConformantError("empty-data", "conformMixture needs rows to learn from, got 0");
  const weights = checkWeights(options.weights, table.rows) ?? new Float64Array(table.rows).fill(1);
  const all = { table, rows: Int32Array.from({ length: table.rows }, (_, r) => r), weights };
  const heldOut = choice && chooseComponents(classifier, all, settings, choice);
  const components = heldOut
    ? bestSize(heldOut)
    : requireInteger("options.components", options.components, 1);
  const { best, problem } = fitRows(classifier, all, components, settings);
  return mixtureModel(problem, best, heldOut);
}

/** The fitted mixture with its certificate. */
export function mixtureModel(
  { classifier, atoms, totalWeight, settings }: MixtureProblem,
  { status, components, steps, decrement, marginalMismatch, objective, dropped }: EmResult,
  heldOut: readonly HeldOutScore[] | undefined,
): Model {
  const errors = components.map((component) => conformityError(classifier, atoms, component, settings.seed));
  const certificate: Certificate = {
    status,
    iterations: steps,
    decrement,
    marginalMismatch,
    conformityError: Math.max(...errors),
    mixture: { objective, dropped, ...(heldOut && { heldOut }) },
  };
  return {
    classifier,
    atoms,
    components,
    rows: totalWeight,
    pseudocount: settings.pseudocount,
    certificate,
  };
}

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
    bins: requireInteger("options.bins", given.bins, 1),
    tolerance: requireNumber("options.tolerance", given.tolerance, 0),
    maxSteps: requireInteger("options.maxSteps", given.maxSteps, 1),
    restarts: requireInteger("options.restarts", given.restarts, 1),
    seed: requireInteger("options.seed", given.seed, 0),
  };
}
