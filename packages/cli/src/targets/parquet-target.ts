import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { quoteLiteral } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import { createAtomicFile, outputError, removePartials } from "../output/atomic-file.ts";
import { callEngine } from "../output/cleanup.ts";
import { hasEnded, holderName } from "../output/holder.ts";
import { lockFile } from "../output/lock-file.ts";
import type { Connector } from "../sources/connector.ts";
import type { ResultLines, RunJob, RunRecord, RunTarget } from "../sources/run-target.ts";
import { parquetCopy } from "./parquet-copy.ts";
import { parquetSink } from "./parquet-sink.ts";
import type { ResultColumns } from "./prediction-lines.ts";
import type { TextSink } from "./text-sink.ts";

/** A folder with one Parquet file per run, `run=NAME.parquet`; its footer records the settings of the run. */
export function parquetTarget(folder: string, connector: Connector, columns: ResultColumns): RunTarget {
  return {
    name: folder,
    inParts: false,
    open: async (run, _, waiting) => {
      const path = join(folder, `run=${encodeURIComponent(run)}.parquet`);
      try {
        mkdirSync(folder, { recursive: true });
      } catch (thrown) {
        throw outputError(folder, thrown);
      }
      const release = await lockFile(`${path}.lock`, holderName(), hasEnded, waiting);
      try {
        removePartials(path, "all");
        return await openJob(path, connector, columns, release);
      } catch (thrown) {
        release();
        throw thrown;
      }
    },
  };
}

async function openJob(
  path: string,
  connector: Connector,
  columns: ResultColumns,
  release: () => void,
): Promise<RunJob> {
  const record = await readRecord(path);
  let file: Pick<TextSink, "close" | "discard"> | undefined;
  let [begun, published]: (RunRecord | undefined)[] = [];
  return {
    record,
    rows: record?.rows ?? 0,
    query: connector.query,
    begin: async (now) => {
      begun = { ...now, done: true };
      return new Map();
    },
    write: async (_, { select, lines }) => {
      if (select && connector.execute) {
        // The engine also writes the file, including the settings, which cannot be added afterwards.
        const pending = createAtomicFile(path);
        file = { close: async () => pending.commit(), discard: pending.discard };
        const metadata = { conformant_run: JSON.stringify(begun) };
        const { sql, finish } = parquetCopy(select(), pending.path, columns, metadata);
        const written = await connector.execute([
          "SET preserve_insertion_order = false", // keeping the order would hold in memory what other threads have read ahead
          sql,
        ]);
        finish();
        if (written === begun?.rows) return written;
        throw new CliError("changed-data", `${quoted(connector.name)} changed while it was read`);
      }
      const sink = parquetSink(path, columns, () => ({ conformant_run: JSON.stringify(published) }));
      file = sink;
      return writeLines(sink, lines());
    },
    publish: async (now) => {
      published = { ...now, done: true };
      await file?.close();
    },
    close: async () => {
      if (published === undefined) file?.discard();
      release();
    },
  };
}

/** The settings in a file's footer; none in a file of another program, which is replaced. */
async function readRecord(path: string): Promise<RunRecord | undefined> {
  if (!existsSync(path)) return undefined;
  const { readDuckdb } = await callEngine(() => import("../sources/duckdb/duckdb-engine.ts"));
  const sql = `SELECT decode(value) FROM parquet_kv_metadata(${quoteLiteral(path)}) WHERE decode(key) = 'conformant_run'`;
  const [text] = await readDuckdb(sql).catch(() => []);
  return text === undefined ? undefined : (JSON.parse(text) as RunRecord);
}

/** Writes all lines and returns the number of rows. */
export async function writeLines(sink: TextSink, lines: AsyncIterable<ResultLines>): Promise<number> {
  let written = 0;
  for await (const { text, rows } of lines) {
    await sink.write(text);
    written += rows;
  }
  return written;
}
