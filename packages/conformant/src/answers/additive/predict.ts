import { requireOptions } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { requireAdditive } from "../../model/require-additive.ts";
import { predict as predictAdditive } from "../../queries/prediction/predict.ts";
import type { QueryOptions } from "../../queries/terms/query-input.ts";
import type { Row } from "../../schema/data.ts";

/**
 * The expected prediction, the same as `predict` of the library gives, for models of additive classifiers.
 *
 * @returns class name to probability
 */
export function predict(model: Model, row: Row, options: QueryOptions = {}): Record<string, number> {
  requireAdditive(model, "predict of conformant/predict");
  requireOptions(options);
  return predictAdditive(model, row, options);
}
