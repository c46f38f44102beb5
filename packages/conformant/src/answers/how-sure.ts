import { requireOptions } from "../errors.ts";
import type { Model } from "../model/model.ts";
import { type Certainty, howSure as howSureAdditive } from "../queries/certainty/how-sure.ts";
import type { HowSureOptions } from "../queries/certainty/how-sure-options.ts";
import type { Row } from "../schema/data.ts";
import { howSureTrees } from "./trees/how-sure-trees.ts";
import { hasTrees } from "./trees/tree-model.ts";

/**
 * How sure a prediction is given what is missing: the distribution of the classifier's answer F(x) for the completed row
 * under P(missing | known), as an interval, and the same-decision probability. Few completions are enumerated; for two
 * classes the distribution is computed in closed form where only numbers of a Gaussian block are missing besides a few other
 * columns, else on a grid with proved bounds; otherwise, and for trees, completions are drawn, with standard errors.
 */
export function howSure(model: Model, row: Row, options: HowSureOptions = {}): Certainty {
  requireOptions(options);
  return hasTrees(model) ? howSureTrees(model, row, options) : howSureAdditive(model, row, options);
}
