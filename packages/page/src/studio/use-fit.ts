import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { watchWorker } from "../frame/watch-worker.ts";
import type { Failure, FitMessage, FitProgress, FitReply } from "../worker/study-messages.ts";
import { NO_SHARE, overallShare, type Share } from "./fit-progress.ts";
import type { MadeModel } from "./study.ts";

/** A size that was compared. */
export interface TriedSize {
  readonly components: number;
  readonly logLikelihood: number;
}

/** A fit that is under way, or how it ended. */
export interface Fitting {
  readonly state: "none" | "running" | "evaluating" | "done" | "canceled" | "failed";
  readonly progress?: FitProgress | undefined;
  /** How far the model has come, or its evaluation. */
  readonly share: Share;
  /** When it was started, in milliseconds. */
  readonly since: number;
  readonly tried: readonly TriedSize[];
  readonly failure?: Failure | undefined;
  readonly start: (asked: FitMessage) => void;
  readonly cancel: () => void;
}

const NOT_STARTED: State = { state: "none", tried: [], share: NO_SHARE, since: 0 };

type State = Omit<Fitting, "start" | "cancel">;

/** Runs fits in a worker of their own, one at a time; to cancel one is to end its worker. */
export function useFit(
  onMade: (change: (before: MadeModel | undefined) => MadeModel | undefined) => void,
): Fitting {
  const [state, setState] = useState<State>(NOT_STARTED);
  const worker = useRef<Worker | undefined>(undefined);
  const stop = useCallback(() => {
    worker.current?.terminate();
    worker.current = undefined;
  }, []);
  useEffect(() => stop, [stop]);
  const start = useCallback(
    (asked: FitMessage) => {
      const { choices, imported } = asked;
      stop();
      setState({ state: "running", tried: [], share: NO_SHARE, since: performance.now() });
      const started = new Worker(new URL("../worker/fit-worker.ts", import.meta.url), { type: "module" });
      started.addEventListener("message", ({ data }: MessageEvent<FitReply>) => {
        setState((before) => hear(before, data));
        if ("model" in data) onMade(() => ({ choices, imported, text: data.model, report: data.report }));
        if ("results" in data) onMade((before) => before && { ...before, results: data.results });
        if ("results" in data || "failure" in data) stop();
      });
      watchWorker(started, (message) => {
        setState((before) => hear(before, { failure: { message } }));
        stop();
      });
      started.postMessage(asked);
      worker.current = started;
    },
    [onMade, stop],
  );
  const cancel = useCallback(() => {
    stop();
    setState((before) => ({ ...NOT_STARTED, state: before.state === "evaluating" ? "done" : "canceled" }));
  }, [stop]);
  return { ...state, start, cancel };
}

function hear(before: State, told: FitReply): State {
  if ("progress" in told)
    return {
      ...before,
      progress: told.progress,
      share: overallShare(told.progress, before.state === "evaluating", before.share),
    };
  if ("tried" in told) return { ...before, tried: told.tried };
  if ("model" in told) return { ...before, state: "evaluating", share: NO_SHARE };
  if ("results" in told) return { ...before, state: "done", progress: undefined };
  return { ...before, state: "failed", failure: told.failure };
}
