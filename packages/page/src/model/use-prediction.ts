import { type Model, predictColumns, type Row } from "conformant";
import { useMemo } from "preact/hooks";
import { type RankedClass, rankClasses } from "../frame/rank-classes.ts";

/** The answer to a row. */
export interface Answer {
  readonly ranked: readonly RankedClass[];
  /** Where it was sampled. */
  readonly standardError: number | undefined;
}

/** The answer to a row, by the function that also answers tables, so that the form and a table agree. */
export function answerTo(model: Model, row: Row): Answer {
  const { classes, probabilities, standardErrors } = predictColumns(model, [row]);
  const byClass = Object.fromEntries(classes.map((name, k) => [name, probabilities[k]]));
  return { ranked: rankClasses(classes, byClass), standardError: standardErrors?.[0] };
}

export function usePrediction(model: Model, row: Row): Answer {
  return useMemo(() => answerTo(model, row), [model, row]);
}
