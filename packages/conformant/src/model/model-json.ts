import type { TrainingReport } from "../additive/classifier.ts";
import type { Certificate } from "../distribution/certificate.ts";
import type { ComponentPartsInFile, ModelPartsInFile } from "../distribution/distribution.ts";
import type { Schema } from "../schema/column.ts";
import type { TreesInFile } from "../trees/trees-in-file.ts";

/** The newest version of the model file that this library reads. A model is written in the first that has what it has. */
export const MODEL_VERSION = 4;
/** The first version that has trees. */
export const TREES_VERSION = 3;
/** The first version that has columns which mark the gaps of others. */
export const MARKS_VERSION = 4;

/** The parts of a model file that the kind of a predictor writes. */
export interface PredictorInFile {
  readonly training?: TrainingReport;
  readonly trees?: TreesInFile;
}

/** The model file. Numbers are written so that they read back to the same double; null stands for log 0. */
export interface ModelJson {
  readonly format: "conformant-model";
  readonly version: number;
  readonly schema: Schema;
  readonly classifier: {
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
  /** Trees, where the classifier is made of them; the one above has no weights then. Since version 3. */
  readonly trees?: TreesInFile;
  /** What the program that made the model stored with it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** CRC-32 of the JSON text of everything above. */
  readonly checksum: string;
}
