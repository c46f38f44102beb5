import type { Explanation, Row } from "conformant";
import { useEffect, useRef, useState } from "preact/hooks";
import { watchWorker } from "../frame/watch-worker.ts";
import type { Certainty, Reasons } from "../worker/answer.ts";
import type { AnswerReply, AnswerRequest } from "../worker/answer-messages.ts";

/** What is known about a row; until the worker has answered, what it said about the row before. */
export interface Answers {
  readonly reasons?: Reasons | undefined;
  readonly certainty?: Certainty | undefined;
  /** Why there are no reasons. */
  readonly failure?: string | undefined;
  /** Whether all parts belong to the row as it is now. */
  readonly complete: boolean;
}

/** The sets that are asked for. */
export interface SetsWanted {
  /** The calibration file, where there is one. */
  readonly calibrationText: string | undefined;
  readonly coverage: number;
}

/** Asks the worker for everything about a row whenever it changes. */
export function useAnswers(modelText: string, row: Row, { calibrationText, coverage }: SetsWanted): Answers {
  const { id, heard } = useWorker(modelText, row, "all", calibrationText, coverage);
  const { reasons, certainty, failure, broken } = heard;
  return {
    reasons: reasons?.value,
    certainty: certainty?.value,
    failure: broken ?? (failure?.id === id ? failure.value : undefined),
    complete: reasons?.id === id && certainty?.id === id,
  };
}

/** Asks the worker why a row gets its prediction, and nothing else. */
export function useExplanation(
  modelText: string,
  row: Row,
): { readonly explanation: Explanation | undefined; readonly complete: boolean } {
  const { id, heard } = useWorker(modelText, row, "explanation");
  return { explanation: heard.explanation?.value, complete: heard.explanation?.id === id };
}

/** The latest part of an answer, with the number of the question it belongs to. */
interface Part<T> {
  readonly id: number;
  readonly value: T;
}

interface Heard {
  readonly explanation?: Part<Explanation>;
  readonly reasons?: Part<Reasons>;
  readonly certainty?: Part<Certainty>;
  readonly failure?: Part<string>;
  /** Why the worker answers nothing any more. */
  readonly broken?: string;
}

function useWorker(
  modelText: string,
  row: Row,
  wants: "explanation" | "all",
  calibrationText?: string,
  coverage = 0.9,
): { id: number; heard: Heard } {
  const [heard, setHeard] = useState<Heard>({});
  const worker = useRef<Worker | undefined>(undefined);
  const question = [row, coverage, calibrationText];
  const asked = useRef({ question, id: 1 });
  if (asked.current.question.some((part, i) => part !== question[i]))
    asked.current = { question, id: asked.current.id + 1 };
  const { id } = asked.current;
  useEffect(() => {
    const started = new Worker(new URL("../worker/answer-worker.ts", import.meta.url), { type: "module" });
    started.postMessage({ modelText } satisfies AnswerRequest);
    started.addEventListener("message", ({ data: { id: own, ...parts } }: MessageEvent<AnswerReply>) =>
      setHeard((before) => ({
        ...before,
        ...Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, { id: own, value }])),
      })),
    );
    watchWorker(started, (broken) => setHeard((before) => ({ ...before, broken })));
    worker.current = started;
    return () => started.terminate();
  }, [modelText]);
  useEffect(() => {
    if (calibrationText !== undefined)
      worker.current?.postMessage({ calibrationText } satisfies AnswerRequest);
  }, [modelText, calibrationText]);
  useEffect(() => {
    worker.current?.postMessage({ id, row, wants, coverage } satisfies AnswerRequest);
  }, [modelText, id]);
  return { id, heard };
}
