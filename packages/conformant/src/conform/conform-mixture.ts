import type { Classifier } from "../classifier/classifier.ts";
import { ConformantError, requireInteger, requireNumber, show } from "../errors.ts";
import type { CountOptions } from "../marginals/count-marginals.ts";
import type { Certificate, HeldOutScore } from "../model/certificate.ts";
import type { Model } from "../model/model.ts";
import type { Data } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { checkWeights } from "../schema/weights.ts";
import { conformityError } from "./certify.ts";
import { certifyBlock } from "./certify-block.ts";
import {
  bestCandidate,
  type Candidate,
  type ChoiceSettings,
  chooseComponents,
  defaultChoice,
} from "./choose-components.ts";
import type { EmResult, MixtureProblem } from "./em.ts";
import { fitRows } from "./fit-rows.ts";
import { defaultMixtureSettings, type MixtureSettings } from "./mixture-settings.ts";
import { checkNumeric, type NumericOption, numericBlocks } from "./numeric-blocks.ts";

/** Options of {@link conformMixture}. */
export interface MixtureOptions
  extends Partial<MixtureSettings>,
    Partial<ChoiceSettings>,
    Pick<CountOptions, "weights" | "strict"> {
  /** How many components, or "auto": 1, 2, 4, 8, … compared by the likelihood of held-out rows. Default "auto". */
  readonly components?: number | "auto";
  /**
   * What describes numeric columns: "atoms", each by itself as in the paper; "gaussian", all of them together with their
   * correlations; "auto", what makes held-out rows most likely; or the names of the columns to describe together.
   * Default "auto".
   */
  readonly numeric?: NumericOption;
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
  const blocks = numericBlocks(
    checkNumeric(options.numeric ?? "auto", classifier.schema),
    all,
    settings.bins,
  );
  const size = choice ? undefined : requireInteger("options.components", options.components, 1);
  const heldOut =
    (choice || blocks.length > 1) &&
    chooseComponents(classifier, all, settings, choice ?? defaultChoice, blocks, size);
  const { components, block } = heldOut
    ? bestCandidate(heldOut)
    : { components: size ?? 1, block: blocks[0] };
  const { best, problem } = fitRows(classifier, all, components, settings, block);
  return mixtureModel(problem, best, heldOut ? heldOut.map(withoutPositions) : undefined);
}

/** What the certificate keeps of a candidate. */
export function withoutPositions({ block: _, ...score }: Candidate): HeldOutScore {
  return score;
}

/** The fitted mixture with its certificate. */
export function mixtureModel(
  problem: MixtureProblem,
  result: EmResult,
  heldOut: readonly HeldOutScore[] | undefined,
): Model {
  const { classifier, atoms, totalWeight, settings, frame } = problem;
  const { status, components, steps, decrement, marginalMismatch, objective, dropped } = result;
  const errors = components.map((component) =>
    conformityError(classifier, atoms, component, settings.seed, frame?.block),
  );
  const certificate: Certificate = {
    status,
    iterations: steps,
    decrement,
    marginalMismatch,
    conformityError: Math.max(...errors),
    mixture: { objective, dropped, ...(heldOut && { heldOut }) },
    ...(frame && { gaussian: certifyBlock(problem, result, frame) }),
  };
  return {
    classifier,
    atoms,
    ...(frame && { block: frame.block }),
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
    ridge: requireNumber("options.ridge", given.ridge, 0),
    bins: requireInteger("options.bins", given.bins, 1),
    tolerance: requireNumber("options.tolerance", given.tolerance, 0),
    maxSteps: requireInteger("options.maxSteps", given.maxSteps, 1),
    restarts: requireInteger("options.restarts", given.restarts, 1),
    seed: requireInteger("options.seed", given.seed, 0),
  };
}
