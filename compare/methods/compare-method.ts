import type { Classifier, Table, TreeClassifier } from "conformant";

/** What a program took. */
export interface Cost {
  /** Seconds of processor time: what else the machine does makes them no longer. */
  readonly seconds: number;
  /** Largest resident set, in bytes. */
  readonly memory: number;
}

/** What a method learns from: the same classifier and rows for all. */
export interface Task {
  readonly classifier: Classifier;
  /** Boosted trees, for the methods that ask them; trained when first asked for. */
  readonly trees: () => TreeClassifier;
  /** The training rows, the label last. */
  readonly training: Table;
  /** To be told what another program took. */
  readonly took: (cost: Cost) => void;
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
