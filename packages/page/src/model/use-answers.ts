import type { Row } from "conformant";
import { useEffect, useRef, useState } from "preact/hooks";
import { watchWorker } from "../frame/watch-worker.ts";
import type { Alternatives, AnyReasons, Certainty, Outlook } from "../worker/answer.ts";
import type { AnswerReply, AnswerRequest } from "../worker/answer-messages.ts";
import type { Answer } from "../worker/answer-to.ts";

/** The parts of an answer. */
interface Parts {
  readonly reasons?: AnyReasons | undefined;
  readonly outlook?: Outlook | undefined;
  readonly certainty?: Certainty | undefined;
  readonly alternatives?: Alternatives | undefined;
}

/** What is known about a row as it is now; parts that the worker has not answered yet are absent. */
export interface Answers extends Parts {
  /** The answer itself, where the worker was asked for it. */
  readonly answer: Answer | undefined;
  /** The latest of each part, perhaps of an earlier row: their room is kept on the page, so that nothing jumps. */
  readonly latest: Parts;
  /** Why there are no reasons. */
  readonly failure?: string | undefined;
  /** Whether all parts are there. */
  readonly complete: boolean;
}

/** The sets that are asked for. */
export interface SetsWanted {
  /** The calibration file, where there is one. */
  readonly calibrationText: string | undefined;
  readonly coverage: number;
}

/** Milliseconds after which a worker that still answers an earlier row is replaced rather than waited for. */
const PATIENCE_MS = 120;

/**
 * Asks a worker for everything about a row whenever it changes.
 *
 * @param first the answer itself, where it is as exact as that of a table; else the worker is asked for it too
 */
export function useAnswers(
  modelText: string,
  row: Row,
  first: Answer | undefined,
  { calibrationText, coverage }: SetsWanted,
): Answers {
  const [heard, setHeard] = useState<{ readonly own: AnswerReply; readonly latest: Parts }>({
    own: { id: 0 },
    latest: {},
  });
  /** Why the worker answers nothing any more. */
  const [broken, setBroken] = useState<string>();
  const worker = useRef<Worker | undefined>(undefined);
  /** The question that the worker has, and when it got it; nothing once it has answered. */
  const pending = useRef<{ readonly id: number; readonly since: number } | undefined>(undefined);
  const question = [modelText, row, coverage, calibrationText];
  const asked = useRef({ question, id: 1 });
  if (asked.current.question.some((part, i) => part !== question[i]))
    asked.current = { question, id: asked.current.id + 1 };
  const { id } = asked.current;
  const start = (): void => {
    worker.current?.terminate();
    const started = new Worker(new URL("../worker/answer-worker.ts", import.meta.url), { type: "module" });
    started.postMessage({ modelText } satisfies AnswerRequest);
    if (calibrationText !== undefined) started.postMessage({ calibrationText } satisfies AnswerRequest);
    started.addEventListener("message", ({ data }: MessageEvent<AnswerReply>) => {
      if (data.id !== asked.current.id) return;
      if (data.alternatives || data.failure !== undefined) pending.current = undefined;
      setHeard(({ own, latest }) => ({
        own: own.id === data.id ? { ...own, ...data } : data,
        latest: { ...latest, ...data },
      }));
    });
    watchWorker(started, setBroken);
    worker.current = started;
  };
  useEffect(() => {
    start();
    return () => worker.current?.terminate();
  }, [modelText, calibrationText]);
  useEffect(() => {
    const before = pending.current;
    pending.current = { id, since: performance.now() };
    const ask = (): void => worker.current?.postMessage({ id, row, first, coverage } satisfies AnswerRequest);
    ask();
    if (!before) return undefined;
    // The worker hears nothing while it computes. One that is still busy with an earlier row after a moment is replaced.
    const timer = setTimeout(() => {
      if (pending.current?.id !== id || heardOf.current === id) return;
      start();
      ask();
    }, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [id]);
  const heardOf = useRef(0);
  heardOf.current = heard.own.id;
  const own = heard.own.id === id ? heard.own : undefined;
  return {
    answer: own?.answer,
    reasons: own?.reasons,
    outlook: own?.outlook,
    certainty: own?.certainty,
    alternatives: own?.alternatives,
    latest: heard.latest,
    failure: broken ?? own?.failure,
    complete: own?.alternatives !== undefined,
  };
}
