import type { StoredReading } from "../columns/column-options.ts";
import type { ColumnSummary } from "../columns/column-summary.ts";

import type { ModelVerdict } from "../verdict/model-verdict.ts";

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

/** By which rows that a model was fitted on are recognized: short hashes of their values, sorted, without the values. */
export interface TrainingRows {
  readonly rows: number;
  /** Hexadecimal, the same number of digits each, joined. */
  readonly hashes: string;
  readonly digits: number;
}

/** What is stored with a model. */
export function metadataOf(model: { readonly metadata?: Readonly<Record<string, unknown>> }): ModelMetadata {
  return (model.metadata ?? {}) as ModelMetadata;
}
