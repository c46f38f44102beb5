import type { DatasetName, Split } from "../datasets/dataset.ts";

/** What the paper does with one dataset. */
export interface Protocol {
  /** Which measure of correctness its table or figure shows. */
  readonly measure: "accuracy" | "weightedF1";
  /** How many columns there are to go missing. */
  readonly columns: number;
  /** How many are missing, ascending. */
  readonly missing: readonly number[];
  /** About 1 % of the columns, at least one: where the paper compares EM and MICE (Q1). */
  readonly onePercent: number;
  /** Repeats in the paper. */
  readonly paperRepeats: number;
  /** Repeats of a quick look. */
  readonly quickRepeats: number;
  /** Penalty of the logistic regression. */
  readonly l2: number;
  /** Training rows that nearest neighbours may use: it compares every test row with each of them. */
  readonly donors: number;
  /** Whether one classifier per missing column is trained too: columns times the cost of training. */
  readonly reduced: boolean;
}

const image: Protocol = {
  measure: "accuracy",
  columns: 784,
  // Every second point of the paper's figures, and its last.
  missing: [0, 8, ...Array.from({ length: 19 }, (_, i) => 40 * (i + 1)), 780],
  onePercent: 8,
  paperRepeats: 10,
  quickRepeats: 2,
  l2: 1,
  donors: 300,
  reduced: false,
};

/** The tables' 20, 40, 60 and 80 %: ⌊0.2 · columns⌋ times 1, 2, 3 and 4, as in the authors' code. */
function table(columns: number, paperRepeats: number, quickRepeats: number, l2: number): Protocol {
  const step = Math.floor(0.2 * columns);
  const onePercent = Math.max(1, Math.round(0.01 * columns));
  const missing = [0, onePercent, ...[1, 2, 3, 4].map((times) => times * step)];
  return {
    measure: "weightedF1",
    columns,
    missing,
    onePercent,
    paperRepeats,
    quickRepeats,
    l2,
    donors: 2000,
    reduced: true,
  };
}

/** The protocol of a dataset; the penalties are those of the authors' notebooks. */
export function protocolOf(name: DatasetName, split: Split): Protocol {
  switch (name) {
    case "mnist":
    case "fashion":
      return image;
    case "covtype":
      return { ...table(12, 10, 2, 1), reduced: false };
    case "adult":
      return table(split === "authors" ? 13 : 14, 100, 3, 10);
    case "splice":
      return table(60, 100, 5, 10);
  }
}
