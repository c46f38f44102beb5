import type { Split } from "../datasets/dataset.ts";

/** What is done with one dataset. */
export interface Protocol {
  readonly split: Split;
  /** Which measure of correctness the paper's table or figure shows. */
  readonly measure: "accuracy" | "weighted_f1";
  /** How many columns (or groups of them) there are to go missing. */
  readonly columns: number;
  /** Whether some are categorical, so that a one-hot group can be taken for one column or for independent bits. */
  readonly categorical: boolean;
  /** How many are missing, ascending. */
  readonly missing: readonly number[];
  /** The numbers behind 20, 40, 60 and 80 %, where the tables have their columns. */
  readonly rates: readonly number[];
  /** About 1 % of the columns, at least one: where the paper compares EM and MICE (Q1). */
  readonly onePercent: number;
  /** Repeats in the paper. */
  readonly paperRepeats: number;
  /** Repeats of a quick look. */
  readonly quickRepeats: number;
  /** Penalty of the logistic regression, as in the authors' notebooks. */
  readonly l2: number;
  /** Pseudo-count of naive conformant learning. */
  readonly pseudocount: number;
  /** Added to a probability before its logarithm is taken: 1e-14 in the authors' code, else nothing. */
  readonly added: number;
  /** Training rows that nearest neighbors may use: it compares every test row with each of them. */
  readonly donors: number;
  /** Whether one classifier per missing column is trained too: columns times the cost of training. */
  readonly reduced: boolean;
}

/** What the authors' code adds to every probability, so that an over-confident answer does not cost without bound. */
export const AUTHORS_ADDED = 1e-14;
