import type { Row } from "conformant";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Certainty, Reasons } from "./answer.ts";
import type { Asked, Told } from "./messages.ts";

/** What is known about a row; until the worker has answered, what it said about the row before. */
export interface Answers {
  readonly reasons?: Reasons | undefined;
  readonly certainty?: Certainty | undefined;
  /** Why there are no reasons. */
  readonly failure?: string | undefined;
  /** Whether all parts belong to the row as it is now. */
  readonly complete: boolean;
}

/** The latest parts of answers, each with the number of the row it belongs to. */
interface Heard {
  readonly reasons?: { readonly id: number; readonly value: Reasons };
  readonly certainty?: { readonly id: number; readonly value: Certainty };
  readonly failure?: { readonly id: number; readonly value: string };
}

/** Asks the worker about a row whenever it changes. */
export function useAnswers(modelText: string, row: Row, wantsCertainty = true): Answers {
  const [heard, setHeard] = useState<Heard>({});
  const worker = useRef<Worker | undefined>(undefined);
  const asked = useRef<{ row: Row; id: number }>({ row, id: 1 });
  if (asked.current.row !== row) asked.current = { row, id: asked.current.id + 1 };
  const { id } = asked.current;
  useEffect(() => {
    const started = new Worker(new URL("./answer-worker.ts", import.meta.url), { type: "module" });
    started.postMessage({ modelText } satisfies Asked);
    started.addEventListener("message", ({ data }: MessageEvent<Told>) =>
      setHeard((before) => ({
        ...before,
        ...(data.reasons && { reasons: { id: data.id, value: data.reasons } }),
        ...(data.certainty && { certainty: { id: data.id, value: data.certainty } }),
        ...(data.failure && { failure: { id: data.id, value: data.failure } }),
      })),
    );
    worker.current = started;
    return () => started.terminate();
  }, [modelText]);
  useEffect(() => {
    worker.current?.postMessage({ id, row, wantsCertainty } satisfies Asked);
  }, [id, row, wantsCertainty]);
  const { reasons, certainty, failure } = heard;
  const complete = reasons?.id === id && (certainty?.id === id || !wantsCertainty);
  return {
    reasons: reasons?.value,
    certainty: certainty?.value,
    failure: failure?.id === id ? failure.value : undefined,
    complete,
  };
}
