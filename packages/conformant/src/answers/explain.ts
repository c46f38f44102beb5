import { requireOptions } from "../errors.ts";
import type { Model } from "../model/model.ts";
import { type Explanation, explain as explainAdditive } from "../queries/explanation/explain.ts";
import type { ExplainOptions } from "../queries/explanation/explain-options.ts";
import type { Row } from "../schema/data.ts";
import { explainTrees } from "./trees/explain-trees.ts";
import { hasTrees } from "./trees/tree-model.ts";

/**
 * Explains the prediction for one row: what each known column contributes, which speak for and which against it, and a
 * smallest set of the former that would have been enough (the paper's sufficient explanation). For trees the set is searched, and
 * `status` says whether it was proved smallest.
 */
export function explain(model: Model, row: Row, options: ExplainOptions = {}): Explanation {
  requireOptions(options);
  return hasTrees(model) ? explainTrees(model, row, options) : explainAdditive(model, row, options);
}
