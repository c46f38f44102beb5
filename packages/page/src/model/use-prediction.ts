import type { AnyModel, Row } from "conformant";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Answer, answerTo } from "../worker/answer-to.ts";

/** An answer and the row that it belongs to. */
export interface Answered {
  readonly answer: Answer;
  readonly row: Row;
  /** Whether it was sampled with a larger standard error than the answers of tables. */
  readonly isRough: boolean;
}

/** Milliseconds from which on a sampled answer is a rough one at first. */
const SLOW_MS = 8;
/** Its standard error. */
const ROUGH = 0.03;
/** Milliseconds from which on an answer waits until the entry has been drawn, so that typing never does. */
const WAIT_MS = 16;

/** The answer to a row; where answers take long a rough one, or for a moment the one to the row before. */
export function usePrediction(model: AnyModel, row: Row): Answered {
  const shown = useRef<(Answered & { readonly model: AnyModel }) | undefined>(undefined);
  const tolerance = useRef<number | undefined>(undefined);
  const waits = useRef(false);
  const [, redraw] = useState(0);
  const find = (): Answered & { readonly model: AnyModel } => {
    const answer = answerTo(model, row, tolerance.current);
    return { answer, row, model, isRough: tolerance.current !== undefined && !!answer.standardError };
  };
  let now = shown.current;
  if (now?.model !== model) {
    const takes = (): number => {
      const started = performance.now();
      answerTo(model, {}, tolerance.current);
      return performance.now() - started;
    };
    tolerance.current = undefined;
    // The first answer also prepares the model, which says nothing about the next ones.
    if (takes() > SLOW_MS && takes() > SLOW_MS) tolerance.current = ROUGH;
    waits.current = takes() > WAIT_MS && takes() > WAIT_MS;
    now = find();
  } else if (now.row !== row && !waits.current) now = find();
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
