import type { Classifier } from "../classifier/classifier.ts";
import { requireInteger } from "../errors.ts";
import type { HeldOutScore } from "../model/certificate.ts";
import { Watch } from "../watch.ts";
import { bestCandidate, type Candidate, chooseComponents, defaultChoice } from "./choose-components.ts";
import { type FittedRows, fitRows } from "./fit-rows.ts";
import { checkChoice, checkSettings, type MixtureOptions } from "./mixture-options.ts";
import { checkNumeric, numericBlocks } from "./numeric-blocks.ts";
import type { WeightedRows } from "./weighted-rows.ts";

/** A mixture fitted to rows, and how its size and kind were chosen where they were. */
export interface FittedChoice extends FittedRows {
  readonly heldOut?: readonly HeldOutScore[];
}

/** What choosing is of the whole work, roughly: the sizes that were tried, beside the last fit of one of them. */
const CHOICE_SHARE = 0.7;

/** A mixture of the size and kind that the options ask for or, where they leave that open, that held-out rows favour. */
export function fitChosen(classifier: Classifier, data: WeightedRows, options: MixtureOptions): FittedChoice {
  const watch = new Watch(options, "fitting");
  const settings = checkSettings(options);
  const choice = checkChoice(options);
  const kind = checkNumeric(options.numeric ?? "auto", classifier.schema);
  const blocks = numericBlocks(kind, data, settings.bins);
  const size = choice ? undefined : requireInteger("options.components", options.components, 1);
  const open = choice !== undefined || blocks.length > 1;
  const curve = !open
    ? []
    : chooseComponents(
        classifier,
        data,
        settings,
        choice ?? defaultChoice,
        blocks,
        size,
        watch.part(0, CHOICE_SHARE),
      );
  const chosen = curve.length > 0;
  const { components, block } = chosen ? bestCandidate(curve) : { components: size ?? 1, block: blocks[0] };
  const rest = watch.part(chosen ? CHOICE_SHARE : 0, 1, curve);
  const fitted = fitRows(classifier, data, components, settings, block, rest);
  return { ...fitted, ...(chosen && { heldOut: curve.map(withoutPositions) }) };
}

/** What the certificate keeps of a candidate. */
function withoutPositions({ block: _, ...score }: Candidate): HeldOutScore {
  return score;
}
