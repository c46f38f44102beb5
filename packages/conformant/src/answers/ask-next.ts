import { ConformantError, requireOptions } from "../errors.ts";
import type { Model } from "../model/model.ts";
import {
  type AskNextOptions,
  type AskOptions,
  askNext as askAdditive,
  type Question,
} from "../queries/asking/ask-next.ts";
import type { Row } from "../schema/data.ts";
import { Watch } from "../watch.ts";
import { askGroups } from "./asking/ask-groups.ts";
import { lookAhead } from "./asking/look-ahead.ts";
import { askTrees } from "./trees/ask-trees.ts";
import { hasTrees } from "./trees/tree-model.ts";

/** The error of what questions after an imagined answer are worth. */
const IMAGINED = 1e-4;

/**
 * Which missing column to ask for next: for each one the expected information about the class and the chance that its
 * value changes the decision, exact over the column's values (for the numbers of a Gaussian block by quadrature, for trees
 * from draws, with the error), by falling gain per cost; with `lookAhead` by what it and the next question are worth together,
 * where that is more; with `groups` of columns that are learned together, from draws, with the standard error.
 */
export function askNext(model: Model, row: Row, options: AskNextOptions = {}): Question[] {
  requireOptions(options);
  const { lookAhead: far = false, groups, costs = {}, extra = "error" } = options;
  if (groups !== undefined) {
    if (far) throw together();
    const { costs: _, groups: __, ...rest } = options;
    const watch = new Watch(options, "planning");
    return askGroups(model, row, options, (known) => askOne(model, known, rest), watch);
  }
  const questions = askOne(model, row, options);
  if (!far) return questions;
  const watch = new Watch(options, "planning");
  const ask = (known: Row): Question[] => askOne(model, known, { costs, extra, tolerance: IMAGINED });
  return lookAhead(model, row, questions, ask, { extra }, (share) => watch.step(share));
}

function together(): ConformantError {
  const message = "options.groups and options.lookAhead cannot both be given";
  return new ConformantError("invalid-argument", message, { argument: "options.lookAhead" });
}

function askOne(model: Model, row: Row, options: AskOptions): Question[] {
  return hasTrees(model) ? askTrees(model, row, options) : askAdditive(model, row, options);
}
