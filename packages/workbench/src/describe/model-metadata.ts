import type { StoredReading } from "../columns/column-options.ts";
import type { ColumnSummary } from "../columns/column-summary.ts";
import type { TrainingRows } from "../fit/training-rows.ts";
import type { ModelVerdict } from "../verdict/model-verdict.ts";

export type { TrainingRows } from "../fit/training-rows.ts";
export type { ClassificationVerdict, ModelVerdict, RegressionVerdict } from "../verdict/model-verdict.ts";
export type { ColumnSummary, StoredReading };

/**
 * What the command and the page store in a model file, as its `metadata`. Every part is optional: models made by the library or by
 * earlier versions have none.
 */
export interface ModelMetadata {
  readonly verdict?: ModelVerdict;
  readonly reading?: StoredReading;
  readonly trainingRows?: TrainingRows;
  readonly columns?: readonly ColumnSummary[];
}

/** What is stored with a model. */
export function metadataOf(model: { readonly metadata?: Readonly<Record<string, unknown>> }): ModelMetadata {
  return (model.metadata ?? {}) as ModelMetadata;
}
