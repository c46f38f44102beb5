import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Limits } from "../frame/numbers.ts";
import { saveFile } from "../frame/save-file.ts";
import { watchWorker } from "../frame/watch-worker.ts";
import type { PredictedRows, RowsReply, RowsRequest, View } from "../worker/rows-messages.ts";

/** A table of many rows on its way through the worker. */
export interface ManyRows {
  readonly predicted: PredictedRows | undefined;
  readonly failure: string | undefined;
  readonly isBusy: boolean;
  readonly take: (table: string | Blob) => void;
  readonly showMore: (rows: number) => void;
  readonly look: (view: View) => void;
  readonly save: () => void;
}

type State = Pick<ManyRows, "predicted" | "failure" | "isBusy">;

/** Rows that are shown at least. */
const PAGE = 100;

const NOTHING: State = { predicted: undefined, failure: undefined, isBusy: false };

/** Has a worker predict tables; the latest one counts. */
export function usePredictedRows(modelText: string, limits: Readonly<Record<string, Limits>>): ManyRows {
  const [state, setState] = useState(NOTHING);
  const worker = useRef<Worker | undefined>(undefined);
  const latest = useRef(0);
  /** Why the worker takes no table any more. */
  const broken = useRef<string | undefined>(undefined);
  useEffect(() => {
    const started = new Worker(new URL("../worker/rows-worker.ts", import.meta.url), { type: "module" });
    started.postMessage({ modelText, limits } satisfies RowsRequest);
    started.addEventListener("message", ({ data }: MessageEvent<RowsReply>) => {
      if ("results" in data) saveFile("predictions.csv", data.results);
      else if ("lines" in data)
        setState((before) => ({
          ...before,
          predicted: before.predicted && { ...before.predicted, ...data },
        }));
      else if (data.id === latest.current)
        setState(
          "failure" in data
            ? { ...NOTHING, failure: data.failure }
            : { ...NOTHING, predicted: data.predicted },
        );
    });
    watchWorker(started, (why) => {
      broken.current = why;
      setState({ ...NOTHING, failure: why });
    });
    worker.current = started;
    return () => started.terminate();
  }, [modelText]);
  const ask = useCallback((asked: RowsRequest) => worker.current?.postMessage(asked), []);
  const take = useCallback((table: string | Blob) => {
    const id = ++latest.current;
    if (typeof table === "string" && table.trim() === "") return setState(NOTHING);
    if (broken.current !== undefined) return setState({ ...NOTHING, failure: broken.current });
    setState((before) => ({ ...before, isBusy: true }));
    ask({ table, id });
  }, []);
  const { predicted } = state;
  return {
    ...state,
    take,
    showMore: (lines) => predicted && ask({ lines, view: predicted.view }),
    look: (view) => predicted && ask({ lines: Math.max(PAGE, predicted.lines.length), view }),
    save: () => predicted && ask({ results: predicted.view }),
  };
}
