import type { TrainingReport } from "../classifier/classifier.ts";
import type { Schema } from "../schema/column.ts";
import type { Certificate } from "./certificate.ts";
import type { GaussianJson } from "./gaussian-json.ts";
import type { TreesInFile } from "./trees-in-file.ts";

/** The newest version of the model file that this library reads, and writes for trees. */
export const MODEL_VERSION = 3;
/** What it writes for models with a Gaussian block. */
export const VERSION_WITH_BLOCK = 2;
/** What it writes for all others, which readers of the first version understand. */
export const VERSION_WITHOUT_BLOCK = 1;

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
  readonly distribution: {
    readonly rows: number;
    readonly pseudocount: number;
    /** Positions of the numeric columns that a Gaussian describes; absent where there are none. Since version 2. */
    readonly block?: readonly number[];
    /** Per column: null for a discrete one and one of the block, else the representatives and edges of its atoms. */
    readonly atoms: readonly ({
      readonly values: readonly number[];
      readonly edges: readonly number[];
    } | null)[];
    readonly components: readonly {
      readonly logWeight: number;
      readonly logQ: readonly (readonly (number | null)[])[];
      readonly gaussian?: GaussianJson;
    }[];
  };
  readonly certificate: Certificate;
  /** Trees, where the classifier is made of them; the one above has no weights then. Since version 3. */
  readonly trees?: TreesInFile;
  /** CRC-32 of the JSON text of everything above. */
  readonly checksum: string;
}
