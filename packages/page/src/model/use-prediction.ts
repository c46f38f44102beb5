import {
  type AnyModel,
  isRegression,
  type Model,
  predictColumns,
  type RegressionModel,
  type Row,
} from "conformant";
import { useEffect, useRef, useState } from "preact/hooks";
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

/** An answer and the row that it belongs to. */
export interface Answered {
  readonly answer: Answer;
  readonly row: Row;
}

/** Milliseconds from which on an answer waits until the entry has been drawn, so that typing never does. */
const SLOW_MS = 8;

/** The answer to a row; where answers take long, for a moment the one to the row before. */
export function usePrediction(model: AnyModel, row: Row): Answered {
  const shown = useRef<(Answered & { readonly model: AnyModel }) | undefined>(undefined);
  /** The least time that an answer of the model took, in milliseconds. */
  const fastest = useRef(Number.POSITIVE_INFINITY);
  const [, redraw] = useState(0);
  const find = (): Answered & { readonly model: AnyModel } => {
    const started = performance.now();
    const answer = isRegression(model) ? numberFor(model, row) : answerTo(model, row);
    fastest.current = Math.min(fastest.current, performance.now() - started);
    return { answer, row, model };
  };
  let now = shown.current;
  if (now?.model !== model) {
    fastest.current = Number.POSITIVE_INFINITY;
    now = find();
    // The first answer also prepares the model, which says nothing about the next ones.
    if (fastest.current > SLOW_MS) find();
  } else if (now.row !== row && fastest.current <= SLOW_MS) now = find();
  shown.current = now;
  useEffect(() => {
    if (shown.current?.row === row) return undefined;
    const timer = setTimeout(() => {
      shown.current = find();
      redraw((count) => count + 1);
    });
    return () => clearTimeout(timer);
  }, [model, row]);
  return now;
}
