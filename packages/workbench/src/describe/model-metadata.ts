import type { TrainingRows } from "../fit/training-rows.ts";
import type { ModelVerdict } from "../verdict/model-verdict.ts";

export type { TrainingRows } from "../fit/training-rows.ts";
export type { ClassificationVerdict, ModelVerdict, RegressionVerdict } from "../verdict/model-verdict.ts";

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

/** How the texts of the training data were read; later files are read alike unless options say otherwise. */
export interface StoredReading {
  /** Texts that stand for a missing value. */
  readonly missing?: readonly string[];
  readonly decimal?: "." | ",";
  /** Columns whose texts are numbers in a style of their own. */
  readonly styles?: Readonly<Record<string, unknown>>;
}

/** The training data of a column, as the page draws it. */
export interface ColumnSummary {
  readonly name: string;
  /** Share of rows in which it is missing. */
  readonly missing: number;
  /** Numbers: range, and a histogram of equally wide bins between its ends. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly histogram?: readonly number[];
  /** Categories: rows of each value, in the order of the model's column. */
  readonly counts?: readonly number[];
}

/** What is stored with a model. */
export function metadataOf(model: { readonly metadata?: Readonly<Record<string, unknown>> }): ModelMetadata {
  return (model.metadata ?? {}) as ModelMetadata;
}
