import type { Classifier } from "../classifier/classifier.ts";
import { requireInteger } from "../errors.ts";
import type { HeldOutScore } from "../model/certificate.ts";
import { bestCandidate, type Candidate, chooseComponents, defaultChoice } from "./choose-components.ts";
import { type FittedRows, fitRows } from "./fit-rows.ts";
import { checkChoice, checkSettings, type MixtureOptions } from "./mixture-options.ts";
import { checkNumeric, numericBlocks } from "./numeric-blocks.ts";
import type { WeightedRows } from "./weighted-rows.ts";

/** A mixture fitted to rows, and how its size and kind were chosen where they were. */
export interface FittedChoice extends FittedRows {
  readonly heldOut?: readonly HeldOutScore[];
}

/** A mixture of the size and kind that the options ask for or, where they leave that open, that held-out rows favour. */
export function fitChosen(classifier: Classifier, data: WeightedRows, options: MixtureOptions): FittedChoice {
  const settings = checkSettings(options);
  const choice = checkChoice(options);
  const kind = checkNumeric(options.numeric ?? "auto", classifier.schema);
  const blocks = numericBlocks(kind, data, settings.bins);
  const size = choice ? undefined : requireInteger("options.components", options.components, 1);
  const curve =
    (choice || blocks.length > 1) &&
    chooseComponents(classifier, data, settings, choice ?? defaultChoice, blocks, size);
  const { components, block } = curve ? bestCandidate(curve) : { components: size ?? 1, block: blocks[0] };
  const fitted = fitRows(classifier, data, components, settings, block);
  return { ...fitted, ...(curve && { heldOut: curve.map(withoutPositions) }) };
}

/** What the certificate keeps of a candidate. */
function withoutPositions({ block: _, ...score }: Candidate): HeldOutScore {
  return score;
}
