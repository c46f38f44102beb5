import { requireMade, requireOptions } from "../../errors.ts";
import type { Predictions } from "../../queries/prediction/predict.ts";
import { encodeFor, encodeRow, type QueryOptions } from "../../queries/terms/query-input.ts";
import type { Data, Row, Table } from "../../schema/data.ts";
import { checkThreads, type PartedWork, type ThreadOptions } from "../../threads/threads.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import {
  type ExpectationSettings,
  type ExpectedAnswer,
  expectationOf,
  MANY_ROWS,
  ONE_ROW,
} from "./expectation/expected-answer.ts";
import type { TreeModel } from "./tree-model.ts";

/** Rows of a part of the work: of ensembles that are quick to ask about a millisecond. */
const TOGETHER = 64;

/** What trees are expected to answer for a row, and how exactly that is known. */
export function expectTrees(model: TreeModel, row: Row, options: QueryOptions = {}): ExpectedAnswer {
  requireMade("model", model);
  requireOptions(options);
  return expectationOf(model).answer(encodeRow(model, row, options), 0, ONE_ROW);
}

/** The rows to answer, and how. */
interface RowsGiven {
  readonly rows: number;
  readonly columns: Table["columns"];
  readonly settings: ExpectationSettings;
}

/** Writes what trees are expected to answer for some rows, K probabilities and a standard error each. */
export const predictTreesPart: PartedWork<TreeModel, RowsGiven> = {
  name: "predict trees",
  doPart: (model, { rows, columns, settings }, part, out) => {
    const table: Table = { schema: model.classifier.schema, rows, columns, unseen: [] };
    const [expectation, width] = [expectationOf(model), model.trees.classes.length + 1];
    for (let r = part * TOGETHER; r < Math.min((part + 1) * TOGETHER, rows); r++) {
      const { probabilities, standardError } = expectation.answer(table, r, settings);
      out.set([...probabilities, standardError], (r % TOGETHER) * width);
    }
  },
};

/** The same as {@link expectTrees} for many rows, each as exactly as a table needs it. */
export function expectTreesColumns(
  model: TreeModel,
  data: Data,
  options: QueryOptions & WatchOptions & ThreadOptions = {},
  settings = MANY_ROWS,
): Predictions {
  const watch = new Watch(options, "predicting");
  const threads = checkThreads(options);
  const { rows, columns, unseen } = encodeFor(model, data, options);
  const { classes } = model.trees;
  const [K, width] = [classes.length, classes.length + 1];
  const count = Math.ceil(rows / TOGETHER);
  const given = { rows, columns: threads.share(columns), settings };
  const parts = { lasting: model, given, count, numbers: TOGETHER * width };
  const numbers = threads.run(predictTreesPart, parts, (share) => watch.step(share));
  const probabilities = new Float64Array(rows * K);
  for (let r = 0; r < rows; r++) probabilities.set(numbers.subarray(r * width, r * width + K), r * K);
  const standardErrors = Float64Array.from({ length: rows }, (_, r) => numbers[r * width + K]);
  return { classes, probabilities, standardErrors, unseen };
}
