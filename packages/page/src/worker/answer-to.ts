import { type AnyModel, isRegression, type Model, predictColumns, type Row } from "conformant";
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

/**
 * The answer to a row, by the function that also answers tables, so that the form and a table agree.
 *
 * @param tolerance of sampled answers, where it is not that of tables
 */
export function answerTo(model: Model, row: Row, tolerance?: number): ClassAnswer;
export function answerTo(model: AnyModel, row: Row, tolerance?: number): Answer;
export function answerTo(model: AnyModel, row: Row, tolerance?: number): Answer {
  if (isRegression(model)) {
    const { values, standardErrors } = predictColumns(model, [row], { tolerance });
    return { kind: "number", value: values[0], standardError: standardErrors?.[0] };
  }
  const { classes, probabilities, standardErrors } = predictColumns(model, [row], { tolerance });
  const byClass = Object.fromEntries(classes.map((name, k) => [name, probabilities[k]]));
  return { kind: "classes", ranked: rankClasses(classes, byClass), standardError: standardErrors?.[0] };
}
