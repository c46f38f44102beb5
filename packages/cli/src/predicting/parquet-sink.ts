import { join } from "node:path";
import { quoteLiteral } from "conformant-workbench/sql";
import { createAtomicFile, outputError } from "../output/atomic-file.ts";
import { callEngine } from "../output/cleanup.ts";
import { scratchFolder } from "../output/scratch-folder.ts";
import { fileSink, type TextSink } from "../output/text-sink.ts";
import type { ResultColumns } from "./prediction-lines.ts";
import { scratchRelation } from "./targets/scratch-table.ts";

/**
 * A Parquet file: the rows are collected as CSV in the scratch folder, and DuckDB turns them into columns at the end.
 *
 * @param metadata texts that are kept in the file beside its columns
 */
export function parquetSink(
  target: string,
  columns: ResultColumns,
  metadata: () => Readonly<Record<string, string>> = () => ({}),
): TextSink {
  const file = createAtomicFile(target);
  const rows = join(scratchFolder(), "predictions.csv");
  const sink = fileSink(rows);
  return {
    write: sink.write,
    close: async () => {
      await sink.close();
      try {
        await convert(rows, file.path, columns, metadata());
      } catch (thrown) {
        throw outputError(target, thrown);
      }
      file.commit();
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
  await runDuckdb(copyToParquetSql(`SELECT * FROM ${scratchRelation(csv, columns)}`, target, metadata));
}

/** The statement that writes the result of a query to a Parquet file. */
export function copyToParquetSql(
  query: string,
  target: string,
  metadata: Readonly<Record<string, string>>,
): string {
  const entries = Object.entries(metadata).map(([key, value]) => `${key}: ${quoteLiteral(value)}`);
  const kept = entries.length > 0 ? `, KV_METADATA {${entries.join(", ")}}` : "";
  // The target is temporary already; one more, of the engine's own, would be left behind where it fails.
  return `COPY (${query}) TO ${quoteLiteral(target)} (FORMAT parquet, USE_TMP_FILE false${kept})`;
}
