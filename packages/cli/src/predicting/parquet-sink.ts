import { join } from "node:path";
import { createAtomicFile, outputError } from "../output/atomic-file.ts";
import { callEngine } from "../output/cleanup.ts";
import { scratchFolder } from "../output/scratch-folder.ts";
import { fileSink, type TextSink } from "../output/text-sink.ts";
import { quoteLiteral } from "../sql/quote.ts";
import { type ResultColumns, resultNames } from "./prediction-lines.ts";

/** A Parquet file: the rows are collected as CSV in the scratch folder, and DuckDB turns them into columns at the end. */
export function parquetSink(target: string, columns: ResultColumns): TextSink {
  const file = createAtomicFile(target);
  const rows = join(scratchFolder(), "predictions.csv");
  const sink = fileSink(rows);
  return {
    write: sink.write,
    close: async () => {
      await sink.close();
      try {
        await convert(rows, file.path, columns);
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

async function convert(csv: string, target: string, result: ResultColumns): Promise<void> {
  const { runDuckdb } = await callEngine(() => import("../sources/duckdb-engine.ts"));
  const { classes, added, kept } = result;
  const isNumber = [
    false,
    ...classes.map(() => true),
    ...[...added, ...kept].map((column) => column.isNumber),
  ];
  const columns = resultNames(result).map(
    (name, c) => `${quoteLiteral(name)}: ${quoteLiteral(isNumber[c] ? "DOUBLE" : "VARCHAR")}`,
  );
  const reader = `read_csv(${quoteLiteral(csv)}, auto_detect=false, header=true, delim=',', quote='"', escape='"', columns={${columns.join(", ")}})`;
  // The target is temporary already; one more, of the engine's own, would be left behind where it fails.
  const how = "FORMAT parquet, USE_TMP_FILE false";
  await runDuckdb(`COPY (SELECT * FROM ${reader}) TO ${quoteLiteral(target)} (${how})`);
}
