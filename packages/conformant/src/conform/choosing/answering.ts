import { weightedColumns } from "../../classifier/add-columns.ts";
import type { Classifier } from "../../classifier/classifier.ts";
import { classifyRows } from "../../classifier/classify-rows.ts";
import type { Model } from "../../model/model.ts";
import { predictColumns } from "../../queries/prediction/predict.ts";
import type { Table } from "../../schema/data.ts";
import type { TreeClassifier } from "../../trees/tree-classifier.ts";

/** What answers rows, for candidates to be judged by: a mixture is good where its answers to part of a row are those to the whole. */
export interface Answering {
  /** Positions of the columns that the classifier's own answer depends on. */
  readonly columns: readonly number[];
  /** The classifier's own answers to rows that have these columns, rows × K. */
  readonly full: (rows: Table) => Float64Array;
  /** A candidate's answers to rows with gaps, rows × K. */
  readonly expected: (candidate: Model, rows: Table) => Float64Array;
  /** Answers of each candidate that are worth their time. */
  readonly most: number;
  /** The trees that answer, where it is trees. */
  readonly trees?: TreeClassifier;
}

/** An additive classifier; undefined without weights, for then all candidates give the same answer. */
export function additiveAnswering(classifier: Classifier): Answering | undefined {
  const columns = weightedColumns(classifier);
  if (columns.length === 0) return undefined;
  return {
    columns,
    full: (rows) => classifyRows(classifier, rows),
    expected: (candidate, rows) => predictColumns(candidate, rows).probabilities,
    most: Number.POSITIVE_INFINITY,
  };
}
