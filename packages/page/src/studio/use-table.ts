import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { watchWorker } from "../frame/watch-worker.ts";
import type {
  Failure,
  FitChoices,
  ImportedSummary,
  StudyFile,
  TableMessage,
  TableReply,
  TableSummary,
} from "../worker/study-messages.ts";

/** Rows of the table, as far as they have come. */
export interface ShownRows {
  readonly from: number;
  readonly cells: readonly (readonly (string | null)[])[];
}

/** The table that is open. */
export interface OpenTable {
  /** Rows read so far, while it is being read. */
  readonly reading: number | undefined;
  /** The names of the sheets of an Excel workbook. */
  readonly sheets: readonly string[];
  readonly summary: TableSummary | undefined;
  readonly failure: Failure | undefined;
  /** The imported classifier applied to the table, or why it cannot be used. */
  readonly imported: ImportedSummary | Failure | undefined;
  readonly shown: ShownRows | undefined;
  readonly askRows: (from: number, to: number) => void;
}

/** Has a worker open a file, and asks it again what columns are whenever the choices change. */
export function useTable(
  file: StudyFile | undefined,
  choices: FitChoices,
  imported: StudyFile | undefined,
): OpenTable {
  const [state, setState] = useState<Omit<OpenTable, "askRows">>(NOTHING);
  const worker = useRef<Worker | undefined>(undefined);
  const { header, encoding, sheet, kinds, gaps, decimal, names } = choices;
  const latest = useRef(choices);
  latest.current = choices;
  useEffect(() => {
    if (!file) return setState(NOTHING);
    setState({ ...NOTHING, reading: 0 });
    const started = new Worker(new URL("../worker/table-worker.ts", import.meta.url), { type: "module" });
    started.addEventListener("message", ({ data }: MessageEvent<TableReply>) =>
      setState((before) => hear(before, data)),
    );
    watchWorker(started, (message) => setState((before) => hear(before, { failure: { message } })));
    started.postMessage({ open: file, choices: latest.current } satisfies TableMessage);
    worker.current = started;
    return () => started.terminate();
  }, [file, header, encoding, sheet]);
  useEffect(() => {
    if (state.summary || state.failure)
      worker.current?.postMessage({ survey: latest.current } satisfies TableMessage);
  }, [kinds, gaps, decimal]); // the file itself is read again only where its lines mean something else
  const isRead = state.summary !== undefined;
  useEffect(() => {
    setState((before) => ({ ...before, imported: undefined }));
    if (imported && isRead)
      worker.current?.postMessage({ classifier: imported, choices: latest.current } satisfies TableMessage);
  }, [imported, isRead, kinds, names]);
  const askRows = useCallback((from: number, to: number) => {
    worker.current?.postMessage({ rows: [from, to] } satisfies TableMessage);
  }, []);
  return { ...state, askRows };
}

const NOTHING = {
  reading: undefined,
  sheets: [],
  summary: undefined,
  failure: undefined,
  imported: undefined,
  shown: undefined,
};

function hear(before: Omit<OpenTable, "askRows">, told: TableReply): Omit<OpenTable, "askRows"> {
  if ("sheets" in told) return { ...before, sheets: told.sheets };
  if ("reading" in told) return { ...before, reading: told.reading };
  if ("summary" in told) return { ...before, summary: told.summary, reading: undefined, failure: undefined };
  if ("imported" in told) return { ...before, imported: told.imported };
  if ("failure" in told) return { ...before, failure: told.failure, reading: undefined };
  return { ...before, shown: told };
}
