import type { Calibration, Model, Table } from "conformant";
import type { BaselineName } from "../baselines/baseline.ts";
import { splitLabel } from "../source/labeled-rows.ts";
import type { Reporter } from "../source/reporter.ts";
import { classShares, createMethods, type NATIVE } from "./create-methods.ts";
import { chooseRows, divideRows } from "./divide-rows.ts";
import { type Evaluation, type EvaluationPlan, evaluateMethods } from "./evaluate-methods.ts";
import { evaluateSets, type SetsEvaluation } from "./evaluate-sets.ts";

/** How a model is evaluated. */
export interface EvaluateOptions {
  readonly label: string;
  readonly plan: EvaluationPlan;
  /** The baselines to compare with. */
  readonly against: readonly (BaselineName | typeof NATIVE)[];
  /** Rows that are scored at most. */
  readonly mostRows: number;
  /** Prediction sets to score as well. */
  readonly sets?: { readonly calibration: Calibration; readonly coverage: number } | undefined;
}

export interface EvaluationResult {
  readonly evaluation: Evaluation;
  readonly sets: SetsEvaluation | undefined;
  /** Rows that were scored, and rows that the baselines learned from. */
  readonly rows: number;
  readonly trainingRows: number;
}

/**
 * Scores a model, baselines and guessing on rows as more values are masked.
 *
 * @param rows the model's columns and, last, the label
 * @param training other rows for the baselines to learn from; without them, a random half of the rows
 */
export function evaluateRows(
  model: Model,
  rows: Table,
  training: Table | undefined,
  { label, plan, against, mostRows, sets }: EvaluateOptions,
  reporter: Reporter,
): EvaluationResult {
  const divided = training
    ? { judged: chooseRows(rows, mostRows, plan.seed), training }
    : divideRows(rows, mostRows, plan.seed);
  const methods = [
    ...createMethods(model, against, divided.training, label, reporter),
    classShares(divided.training, model.response.outputs.length),
  ];
  const labeled = splitLabel(divided.judged);
  return {
    evaluation: evaluateMethods(model, methods, labeled, plan, reporter),
    sets: sets && evaluateSets(model, sets, labeled, plan, reporter),
    rows: divided.judged.rows,
    trainingRows: divided.training.rows,
  };
}
