import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createAtomicFile, outputError, STDOUT } from "../output/atomic-file.ts";
import { callEngine } from "../output/cleanup.ts";
import { scratchFolder } from "../output/scratch-folder.ts";
import { writeOut } from "../output/standard-streams.ts";
import { parquetCopy } from "./parquet-copy.ts";
import type { ResultColumns } from "./prediction-lines.ts";
import { nameUnheld, scratchSql, scratchTexts } from "./scratch-table.ts";
import { fileSink, type TextSink } from "./text-sink.ts";

/**
 * A Parquet file: rows are collected as CSV in the scratch folder, and DuckDB converts them at the end.
 *
 * @param metadata texts stored in the file's footer
 */
export function parquetSink(
  target: string,
  columns: ResultColumns,
  metadata: () => Readonly<Record<string, string>> = () => ({}),
): TextSink {
  const isPrinted = target === STDOUT;
  const file = createAtomicFile(isPrinted ? join(scratchFolder(), "predictions.parquet") : target);
  const rows = join(scratchFolder(), "predictions.csv");
  const sink = fileSink(rows);
  return {
    write: sink.write,
    close: async () => {
      await sink.close();
      try {
        await convert(rows, file.path, columns, metadata());
      } catch (thrown) {
        await nameUnheld(scratchTexts(rows, columns), columns, target, readTexts);
        throw outputError(target, thrown);
      }
      if (isPrinted)
        for await (const piece of createReadStream(file.path)) await writeOut(piece as Uint8Array);
      else file.commit();
    },
    discard: () => {
      sink.discard();
      file.discard();
    },
  };
}

async function convert(
  csv: string,
  target: string,
  columns: ResultColumns,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const { runDuckdb } = await callEngine(() => import("../sources/duckdb/duckdb-engine.ts"));
  const { sql, finish } = parquetCopy(scratchSql(csv, columns), target, columns, metadata);
  await runDuckdb(sql);
  finish();
}

async function readTexts(sql: string): Promise<string[]> {
  const { readDuckdb } = await callEngine(() => import("../sources/duckdb/duckdb-engine.ts"));
  return readDuckdb(sql);
}
