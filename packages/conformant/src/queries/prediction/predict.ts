import { requireMade } from "../../errors.ts";
import { Scratch } from "../../math/scratch.ts";
import type { Model } from "../../model/model.ts";
import { firstComponentAnswer, isMixture, predictRow } from "../../posterior/predict-row.ts";
import { rejectInfinite } from "../../posterior/reject-infinite.ts";
import { byName } from "../../schema/by-name.ts";
import type { Data, Row, UnseenValues } from "../../schema/data.ts";
import { tableOfRow } from "../../schema/rows/read-row.ts";
import { checkThreads, type ThreadOptions } from "../../threads/threads.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { layOutFor, type QueryOptions, readRowFor } from "../terms/query-input.ts";
import { predictInParts } from "./predict-in-parts.ts";

/** The probabilities of a row by itself. */
const answers = new Scratch();

/** What the classifier is expected to answer for many rows. */
export interface Predictions {
  readonly classes: readonly string[];
  /** rows × K, `probabilities[row * K + k]`. */
  readonly probabilities: Float64Array;
  /** Where the answers are not closed forms: the standard error of each row, 0 for an exact one. */
  readonly standardErrors?: Float64Array;
  /** Categories the model does not know, which were taken for gaps. */
  readonly unseen: readonly UnseenValues[];
}

/**
 * The expected prediction (Definition 1 of the paper): what the classifier would answer on average over the missing
 * columns, given the known ones. With nothing missing it is the classifier's own answer.
 *
 * @returns class name to probability
 */
export function predict(model: Model, row: Row, options: QueryOptions = {}): Record<string, number> {
  requireMade("model", model);
  const { classes, schema } = model.classifier;
  const cells = readRowFor(model, row, options);
  if (isMixture(model)) return byName(classes, predictRow(model, tableOfRow(schema, cells), 0));
  const probabilities = answers.take(classes.length);
  firstComponentAnswer(model, cells, probabilities);
  if (Number.isNaN(probabilities[0])) rejectInfinite(tableOfRow(schema, cells), 0);
  return byName(classes, probabilities);
}

/** {@link predict} for many rows at once, without an object per row. */
export function predictColumns(
  model: Model,
  data: Data,
  options: QueryOptions & WatchOptions & ThreadOptions = {},
): Predictions {
  const watch = new Watch(options, "predicting");
  const threads = checkThreads(options);
  const laidOut = layOutFor(model, data, options);
  return {
    classes: model.classifier.classes,
    probabilities: predictInParts(model, laidOut, threads, watch),
    unseen: laidOut.table.unseen,
  };
}
