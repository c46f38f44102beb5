import { guardFormula } from "conformant-workbench";
import { CliError, quoted } from "../errors.ts";
import { parquetSink } from "./parquet-sink.ts";
import {
  type Digits,
  jsonLines,
  type LineWriter,
  type ResultColumns,
  separatedLines,
} from "./prediction-lines.ts";
import { scratchLines } from "./scratch-table.ts";
import { canPackZst, fileSink, stdoutSink, type TextSink } from "./text-sink.ts";

/** Where predictions go, and in which form. */
export interface PredictionOutput {
  readonly sink: TextSink;
  readonly writer: LineWriter;
}

/** Formats that a name may ask for and that are not written. */
const UNKNOWN =
  /\.(xlsx?|ods|feather|arrow|orc|avro|db|sqlite3?|duckdb|html?|xml|pdf|zip|bz2|xz|7z|lz4|br|dta|sav|rds|pq)$/;

/** Throws where a file would hold something else than its name says. */
export function checkOutputName(target: string): void {
  const name = target.toLowerCase();
  const inside = name.replace(/\.(gz|zst)$/, "");
  const why =
    inside !== name && inside.endsWith(".parquet")
      ? "Parquet is packed inside the file: leave the last ending away"
      : name.endsWith(".zst") && !canPackZst
        ? "this version of Node does not write .zst, expected .gz"
        : (UNKNOWN.exec(inside)?.[0] ?? "") &&
          "expected .csv, .tsv, .jsonl, .json (also .gz or .zst) or .parquet";
  if (why) throw new CliError("usage", `--output ${quoted(target)}: ${why}`);
}

/**
 * By the file's name: Parquet, JSON lines, tab-separated or CSV, packed where it ends in .gz or .zst; standard output without one.
 *
 * @param raw leaves texts as they are that a spreadsheet would run as formulas
 */
export function openOutput(
  target: string | undefined,
  json: boolean,
  columns: ResultColumns,
  write: Digits,
  raw: boolean,
): PredictionOutput {
  const name = (target ?? "").toLowerCase().replace(/\.(gz|zst)$/, "");
  if (target !== undefined && name.endsWith(".parquet")) {
    return { sink: parquetSink(target, columns), writer: scratchLines(columns) };
  }
  const sink = target === undefined || target === "-" ? stdoutSink() : fileSink(target);
  if (json || /\.(jsonl|ndjson|json)$/.test(name)) return { sink, writer: jsonLines(columns, write) };
  const separator = name.endsWith(".tsv") ? "\t" : ",";
  return { sink, writer: separatedLines(columns, separator, write, raw ? asItIs : guardFormula) };
}

function asItIs(text: string): string {
  return text;
}
