import type { Table } from "conformant";
import type { Protocol } from "../protocol/protocol.ts";

/**
 * How a dataset is divided and encoded: as the paper describes it, with every constant taken of the training rows, or as
 * the authors' public files have it, with the constants of the test rows that their code takes.
 */
export type Split = "ours" | "authors";

/** The column of every training table that holds the class. */
export const LABEL = "class";

/** A dataset as the protocol sees it: every column 0/1 or categorical, and divided. */
export interface Dataset {
  /** As it is called on the command line and in results. */
  readonly name: string;
  /** As it is called in tables; a sample says so. */
  readonly title: string;
  /** The features and, last, {@link LABEL}. */
  readonly training: Table;
  /** The features. */
  readonly test: Table;
  /** The class of every test row. */
  readonly testLabels: readonly string[];
  /** Columns that go missing together, by their positions; they may overlap. Default: every column by itself. */
  readonly groups?: readonly (readonly number[])[];
}

/** A line of the paper's Table 1, as it is printed. */
export interface Testbed {
  readonly size: string;
  readonly classes: string;
  readonly features: number;
  readonly types: string;
}

/** A dataset of the evaluation: one file each, entered in `datasets.ts`. */
export interface DatasetSource {
  readonly name: string;
  /** What the paper's Table 1 says of it; a dataset that the paper does not have has none. */
  readonly testbed?: Testbed;
  readonly protocol: (split: Split) => Protocol;
  /** Reads and encodes it; the seed decides the split where the publisher has none. */
  readonly read: (folders: readonly string[], seed: number, split: Split) => Dataset;
}
