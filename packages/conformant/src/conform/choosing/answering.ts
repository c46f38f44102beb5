import type { Classifier } from "../../classifier/classifier.ts";
import { classifyRows } from "../../classifier/classify-rows.ts";
import type { Model } from "../../model/model.ts";
import { predictColumns } from "../../queries/prediction/predict.ts";
import type { Table } from "../../schema/data.ts";

/** What answers rows, for candidates to be judged by: a mixture is good where its answers to part of a row are those to the whole. */
export interface Answering {
  /** The classifier's own answers to complete rows, rows × K. */
  readonly full: (rows: Table) => Float64Array;
  /** A candidate's answers to rows with gaps, rows × K. */
  readonly expected: (candidate: Model, rows: Table) => Float64Array;
  /** Answers of each candidate that are worth their time. */
  readonly most: number;
}

/** An additive classifier; undefined without weights, for then all candidates give the same answer. */
export function additiveAnswering(classifier: Classifier): Answering | undefined {
  if (classifier.weights.every((weight) => weight === 0)) return undefined;
  return {
    full: (rows) => classifyRows(classifier, rows),
    expected: (candidate, rows) => predictColumns(candidate, rows).probabilities,
    most: Number.POSITIVE_INFINITY,
  };
}
