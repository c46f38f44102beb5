import type { Classifier, Table, TreeClassifier } from "conformant";

/** What a method learns from: the same classifier and rows for all. */
export interface Task {
  readonly classifier: Classifier;
  /** Boosted trees, for the methods that ask them; trained when first asked for. */
  readonly trees: () => TreeClassifier;
  /** The training rows, the label last. */
  readonly training: Table;
  /** To be told the memory, in bytes, that another program took. */
  readonly took: (bytes: number) => void;
}

/** Answers rows with gaps, without the label: rows × K. */
export type Answer = (rows: Table) => Float64Array;

/** A way to answer rows with gaps. */
export interface CompareMethod {
  readonly name: string;
  /** Whether it fills gaps and then asks the given classifier. */
  readonly imputes: boolean;
  readonly learn: (task: Task) => Answer;
}
