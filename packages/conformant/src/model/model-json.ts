import type { TrainingReport } from "../additive/classifier.ts";
import type { Certificate } from "../distribution/certificate.ts";
import type { ComponentPartsInFile, ModelPartsInFile } from "../distribution/distribution.ts";
import type { RegressionReport } from "../linear/linear-regressor.ts";
import type { NumberLink } from "../predictors/number-link.ts";
import type { Schema } from "../schema/column.ts";
import type { TreesInFile } from "../trees/trees-in-file.ts";

/** The newest version of the model file that this library reads. A model is written in the first that has what it has. */
export const MODEL_VERSION = 6;
/** The first version that has trees. */
export const TREES_VERSION = 3;
/** The first version that has columns which mark the gaps of others. */
export const MARKS_VERSION = 4;
/** The first version that has regressors. */
export const REGRESSOR_VERSION = 5;

/** The parts of a model file that the kind of a predictor writes. */
export interface PredictorInFile {
  readonly training?: TrainingReport;
  readonly trees?: TreesInFile;
  readonly regressor?: RegressorInFile;
}

/** A regressor in a model file; `trees` has the trees of one that is made of them. */
export type RegressorInFile =
  | {
      readonly kind: "linear";
      readonly output: string;
      readonly label?: string;
      readonly link: NumberLink;
      readonly intercept: number;
      /** One per slot. */
      readonly weights: readonly number[];
      readonly training?: RegressionReport;
    }
  | { readonly kind: "trees"; readonly output: string; readonly label?: string };

/** The model file. Numbers are written so that they read back to the same double; null stands for log 0. */
export interface ModelJson {
  readonly format: "conformant-model";
  readonly version: number;
  readonly schema: Schema;
  /** Absent where the answer is a number. */
  readonly classifier?: {
    readonly classes: readonly string[];
    readonly label?: string;
    readonly intercept: readonly number[];
    /** One row of K numbers per slot: a slot is a numeric or 0/1 column, or a value of a categorical or binned one. */
    readonly weights: readonly (readonly number[])[];
    readonly training?: TrainingReport;
  };
  readonly distribution: ModelPartsInFile & {
    readonly rows: number;
    readonly pseudocount: number;
    /** Per column: null for a discrete one and one that another factor describes, else the representatives and edges of its atoms. */
    readonly atoms: readonly ({
      readonly values: readonly number[];
      readonly edges: readonly number[];
    } | null)[];
    readonly components: readonly (ComponentPartsInFile & {
      readonly logWeight: number;
      readonly logQ: readonly (readonly (number | null)[])[];
    })[];
  };
  readonly certificate: Certificate;
  /** Trees, where the predictor is made of them; a classifier above has no weights then. Since version 3. */
  readonly trees?: TreesInFile;
  /** Present where the answer is a number. Since version 5. */
  readonly regressor?: RegressorInFile;
  /** What the program that made the model stored with it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** CRC-32 of the JSON text of everything above. */
  readonly checksum: string;
}
