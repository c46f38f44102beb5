import {
  type Classifier,
  type Column,
  type IndicatorComparison,
  type Model,
  type Table,
  train,
  trainOnIncomplete,
} from "conformant";
import { addColumns, classifyRows, findCompleteRows } from "conformant/internal";
import type { Host } from "../source/host.ts";
import { watchWork } from "../source/watch-work.ts";
import { withoutColumns } from "../source/without-columns.ts";
import { type Candidate, crossValidate } from "./cross-validate.ts";
import { trainingAccuracy } from "./training-accuracy.ts";
import type { TrainingOptions } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/** Cells × classes beyond which training stops earlier: each pass takes seconds, and the last hundred change no decision. */
const COSTLY = 1e8;
const EARLIER = 1e-4;

/** Penalties that "auto" compares. */
const PENALTIES: readonly number[] = [0.01, 0.1, 1, 10, 100, 1000];

/** A classifier that was trained here. */
export interface Trained {
  readonly classifier: Classifier;
  /** Where rows with gaps were trained on: the mixture that completed them. */
  readonly distribution?: Model;
  readonly training: TrainingSummary;
}

/**
 * Trains with the given penalty, or with the one that does best on rows not trained on.
 *
 * @param also columns of the table that get no weights and help to complete rows
 */
export function trainClassifier(
  table: Table,
  also: readonly Column[],
  label: string,
  options: TrainingOptions,
  host: Host,
): Trained {
  const { l2, seed } = options;
  const own = withoutColumns(table, also);
  const penalties = options.crossValidation
    ? (crossValidate(own, (l2 === "auto" ? PENALTIES : [l2]).map(withPenalty(label)), seed, host.reporter) ??
      [])
    : [];
  const validation =
    penalties.length > 0 ? penalties.reduce((a, b) => (b.logLoss < a.logLoss ? b : a)) : undefined;
  const penalty = validation?.l2 ?? (l2 === "auto" ? 1 : l2);
  const { gaps, ...trained } = trainOnRows({ table, also, label }, penalty, options, host);
  const { classifier } = trained;
  const accuracy = trainingAccuracy((rows) => classifyRows(classifier, rows), own);
  return {
    ...trained,
    training: {
      accuracy,
      validation,
      penalties,
      crossValidated: options.crossValidation,
      ...(gaps && { gaps }),
      sampled: false,
    },
  };
}

/** A logistic regression to be judged, which need not be as exact as the fit. */
function withPenalty(label: string): (l2: number) => Candidate {
  return (l2) => ({
    l2,
    learn: (table, weights, watch) => {
      const classifier = train(table, { label, l2, tolerance: EARLIER, weights, ...watch });
      return (rows) => classifyRows(classifier, rows);
    },
  });
}

/** Rows to train on: the columns of the table that get no weights, and its last, the label. */
interface TrainingRows {
  readonly table: Table;
  readonly also: readonly Column[];
  readonly label: string;
}

function trainOnRows(
  { table, also, label }: TrainingRows,
  l2: number,
  options: TrainingOptions,
  host: Host,
): Pick<Trained, "classifier" | "distribution"> & { readonly gaps?: IndicatorComparison } {
  const how = { label, l2, ...toleranceOf(table), ...watchWork(host.reporter) };
  const own = withoutColumns(table, also);
  const complete = findCompleteRows(own);
  if (options.trainOn === "complete" || complete.length === own.rows)
    return { classifier: addColumns(train(own, how), also) };
  const { components, numeric, bins, pseudocount, seed, timeLimit, gaps } = options;
  const distribution = {
    ...{ components, numeric, bins, pseudocount, seed, timeLimit, missing: gaps },
    threads: host.threads,
    also: also.map(({ name }) => name),
  };
  const { classifier, model, indicators } = trainOnIncomplete(table, { ...how, ...distribution });
  return { classifier, distribution: model, ...(indicators && { gaps: indicators }) };
}

function toleranceOf({ rows, schema }: Table): { readonly tolerance?: number } {
  const label = schema.columns[schema.columns.length - 1];
  const classes = label.kind === "categorical" ? label.values.length : 2;
  return rows * schema.columns.length * classes > COSTLY ? { tolerance: EARLIER } : {};
}
