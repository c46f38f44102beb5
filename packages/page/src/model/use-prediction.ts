import {
  type AnyModel,
  isRegression,
  type Model,
  predictColumns,
  type RegressionModel,
  type Row,
} from "conformant";
import { useMemo } from "preact/hooks";
import { type RankedClass, rankClasses } from "../frame/rank-classes.ts";

/** The answer to a row. */
export type Answer = ClassAnswer | NumberAnswer;

/** Classes with their probabilities. */
export interface ClassAnswer {
  readonly kind: "classes";
  readonly ranked: readonly RankedClass[];
  /** Where it was sampled. */
  readonly standardError: number | undefined;
}

export interface NumberAnswer {
  readonly kind: "number";
  readonly value: number;
  /** Where it was sampled. */
  readonly standardError: number | undefined;
}

/** The answer to a row, by the function that also answers tables, so that the form and a table agree. */
export function answerTo(model: Model, row: Row): ClassAnswer {
  const { classes, probabilities, standardErrors } = predictColumns(model, [row]);
  const byClass = Object.fromEntries(classes.map((name, k) => [name, probabilities[k]]));
  return { kind: "classes", ranked: rankClasses(classes, byClass), standardError: standardErrors?.[0] };
}

function numberFor(model: RegressionModel, row: Row): NumberAnswer {
  const { values, standardErrors } = predictColumns(model, [row]);
  return { kind: "number", value: values[0], standardError: standardErrors?.[0] };
}

export function usePrediction(model: AnyModel, row: Row): Answer {
  return useMemo(() => (isRegression(model) ? numberFor(model, row) : answerTo(model, row)), [model, row]);
}
