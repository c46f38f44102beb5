import type { Table } from "conformant";

export const DATASET_NAMES = ["mnist", "fashion", "covtype", "adult", "splice"] as const;

export type DatasetName = (typeof DATASET_NAMES)[number];

/** How Splice is divided: by our own seeded 80:20 split, or into the files of the authors. */
export type Split = "ours" | "authors";

/** The column of every training table that holds the class. */
export const LABEL = "class";

/** A dataset as the protocol sees it: every column 0/1 or categorical, and divided. */
export interface Dataset {
  readonly name: DatasetName;
  /** As it is called in tables; a sample says so. */
  readonly title: string;
  /** The features and, last, {@link LABEL}. */
  readonly training: Table;
  /** The features. */
  readonly test: Table;
  /** The class of every test row. */
  readonly testLabels: readonly string[];
}
