import { requireOptions } from "../errors.ts";
import type { Model } from "../model/model.ts";
import {
  type Predictions,
  predict as predictAdditive,
  predictColumns as predictAdditiveColumns,
} from "../queries/prediction/predict.ts";
import type { QueryOptions } from "../queries/terms/query-input.ts";
import { byName } from "../schema/by-name.ts";
import type { Data, Row } from "../schema/data.ts";
import type { ThreadOptions } from "../threads/threads.ts";
import type { WatchOptions } from "../watch.ts";
import { expectTrees, expectTreesColumns } from "./trees/predict-trees.ts";
import { hasTrees } from "./trees/tree-model.ts";

/** One object for all rows without options. */
const NO_OPTIONS: QueryOptions = {};

/**
 * The expected prediction (Definition 1 of the paper): what the classifier would answer on average over the missing
 * columns, given the known ones. With nothing missing it is the classifier's own answer.
 *
 * @returns class name to probability
 */
export function predict(model: Model, row: Row, options: QueryOptions = NO_OPTIONS): Record<string, number> {
  requireOptions(options);
  if (!hasTrees(model)) return predictAdditive(model, row, options);
  const { probabilities } = expectTrees(model, row, options);
  return byName(model.trees.classes, probabilities);
}

/**
 * {@link predict} for many rows at once, without an object per row. Several threads share the work where they are given; columns of theirs
 * in shared memory are not copied.
 */
export function predictColumns(
  model: Model,
  data: Data,
  options: QueryOptions & WatchOptions & ThreadOptions = {},
): Predictions {
  requireOptions(options);
  return hasTrees(model)
    ? expectTreesColumns(model, data, options)
    : predictAdditiveColumns(model, data, options);
}
