import { classIndex } from "../../classifier/classifier.ts";
import { ConformantError, show } from "../../errors.ts";
import { softmaxInPlace } from "../../math/exponential/softmax.ts";
import type { Model } from "../../model/model.ts";
import type { WatchOptions } from "../../watch.ts";
import { decide, TIE } from "../terms/decision.ts";
import type { QueryOptions } from "../terms/query-input.ts";

/** Which decision, which interval, and how its distribution is computed. */
export interface HowSureOptions extends QueryOptions, WatchOptions {
  /** The share of the completions that the interval holds. Default 0.9. */
  readonly level?: number;
  /** The decision is whether P(class) reaches this, instead of which class is most likely. */
  readonly threshold?: number;
  /** The class whose probability is looked at. Default the most likely one; with a threshold the last. */
  readonly class?: string;
  /** Up to this many completions are enumerated. Default 16384. */
  readonly enumerate?: number;
  /** How many are drawn where there are more of them and more than two classes. Default 10000. */
  readonly samples?: number;
  /** Default 0. */
  readonly seed?: number;
}

/** What was asked for, checked. */
export interface HowSureRequest {
  readonly k: number;
  readonly level: number;
  /** Whether class scores (log-odds for a threshold) lead to the decision that is made now. */
  readonly same: (scores: Float64Array) => boolean;
  readonly decision: { readonly threshold: number; readonly class: number; readonly reached: boolean };
}

/** Checks the options against the model and the prediction that is made now. */
export function readHowSureOptions(
  model: Model,
  probabilities: Float64Array,
  options: HowSureOptions,
): HowSureRequest {
  const { classes } = model.classifier;
  const { threshold, level = 0.9 } = options;
  for (const [name, p] of Object.entries({ threshold, level })) {
    if (p === undefined || (p > 0 && p < 1)) continue;
    const message = `options.${name} must be a probability between 0 and 1, got ${show(p)}`;
    throw new ConformantError("invalid-argument", message, { argument: `options.${name}`, value: p });
  }
  const now = decide(probabilities).class;
  const asked = options.class === undefined ? undefined : classIndex(classes, options.class);
  if (threshold === undefined) {
    const decision = { threshold: 0.5, class: 1, reached: now === 1 };
    return { k: asked ?? now, level, same: (scores) => decide(scores).class === now, decision };
  }
  const k = asked ?? classes.length - 1;
  const reached = probabilities[k] >= threshold - TIE;
  const same = (scores: Float64Array): boolean => {
    const p = Float64Array.from(scores);
    softmaxInPlace(p);
    return p[k] >= threshold - TIE === reached;
  };
  return { k, level, same, decision: { threshold, class: k, reached } };
}
