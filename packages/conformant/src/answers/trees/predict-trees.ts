import { requireMade, requireOptions } from "../../errors.ts";
import type { Predictions } from "../../queries/prediction/predict.ts";
import { encodeFor, encodeRow, type QueryOptions } from "../../queries/terms/query-input.ts";
import type { Data, Row } from "../../schema/data.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { type ExpectedAnswer, expectationOf, MANY_ROWS, ONE_ROW } from "./expectation/expected-answer.ts";
import type { TreeModel } from "./tree-model.ts";

/** Rows that are answered between two looks at the watch. */
const BETWEEN = 64;

/** What trees are expected to answer for a row, and how exactly that is known. */
export function expectTrees(model: TreeModel, row: Row, options: QueryOptions = {}): ExpectedAnswer {
  requireMade("model", model);
  requireOptions(options);
  return expectationOf(model).answer(encodeRow(model, row, options), 0, ONE_ROW);
}

/** The same for many rows, each as exactly as a table needs it. */
export function expectTreesColumns(
  model: TreeModel,
  data: Data,
  options: QueryOptions & WatchOptions = {},
  settings = MANY_ROWS,
): Predictions {
  const watch = new Watch(options, "predicting");
  const table = encodeFor(model, data, options);
  const { classes } = model.trees;
  const K = classes.length;
  const expectation = expectationOf(model);
  const probabilities = new Float64Array(table.rows * K);
  const standardErrors = new Float64Array(table.rows);
  for (let r = 0; r < table.rows; r++) {
    if (r % BETWEEN === 0) watch.step(r / table.rows);
    const answer = expectation.answer(table, r, settings);
    probabilities.set(answer.probabilities, r * K);
    standardErrors[r] = answer.standardError;
  }
  return { classes, probabilities, standardErrors, unseen: table.unseen };
}
