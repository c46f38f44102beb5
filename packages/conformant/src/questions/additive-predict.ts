import { expectRow } from "../additive/expect-row.ts";
import { ConformantError, requireMade } from "../errors.ts";
import type { Model } from "../model/model.ts";
import { readOptions } from "../options.ts";
import { byName, type Row } from "../schema/data.ts";
import { DEFAULT_READING, type QueryOptions, queryOptions, readRowFor } from "./row-input.ts";

/**
 * The expected prediction, the same as `predict` of the library gives, for models of additive classifiers.
 *
 * @returns class name to probability
 */
export function predict(model: Model, row: Row, options?: QueryOptions): Record<string, number> {
  requireMade("model", model);
  const reading = options === undefined ? DEFAULT_READING : readOptions(options, queryOptions);
  const { kind } = model.predictor;
  if (kind !== "additive") {
    const message = `predict of conformant/predict is for additive classifiers, got a model of kind ${kind}`;
    throw new ConformantError("invalid-argument", message, { argument: "model" });
  }
  return byName(model.response.outputs, expectRow(model, readRowFor(model, row, reading)));
}
