import { guardFormula } from "conformant-workbench";
import { CliError, quoted } from "../errors.ts";
import { STDOUT } from "../output/atomic-file.ts";
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

/** The target and format of predictions. */
export interface PredictionOutput {
  readonly sink: TextSink;
  readonly writer: LineWriter;
}

/** File endings that are recognized but not written. */
const UNKNOWN =
  /\.(xlsx?|ods|feather|arrow|orc|avro|db|sqlite3?|duckdb|html?|xml|pdf|zip|bz2|xz|7z|lz4|br|dta|sav|rds|pq)$/;

/** Throws where the name of the file contradicts its format. */
export function checkOutputName(target: string): void {
  const name = target.toLowerCase();
  const inside = name.replace(/\.(gz|zst)$/, "");
  if (inside !== name && inside.endsWith(".parquet")) throw packedParquet(target);
  const why =
    name.endsWith(".zst") && !canPackZst
      ? "this version of Node does not write .zst, expected .gz"
      : (UNKNOWN.exec(inside)?.[0] ?? "") &&
        "expected .csv, .tsv, .jsonl, .json (also .gz or .zst) or .parquet";
  if (why) throw new CliError("usage", `--output ${quoted(target)}: ${why}`);
}

function packedParquet(target: string): CliError {
  return new CliError(
    "usage",
    `--output ${quoted(target)}: Parquet is packed inside the file, expected a name without .gz or .zst`,
  );
}

/** Formats of predictions; JSON has one object per line. */
export type OutputFormat = "csv" | "tsv" | "json" | "parquet";

/** Their names. */
export const OUTPUT_FORMATS = ["csv", "tsv", "json", "jsonl", "parquet"];

/** The output format: the given one, that of the file name, or CSV. */
export function outputFormat(
  target: string | undefined,
  given: string | undefined,
  json: boolean,
): OutputFormat {
  if (json && given !== undefined && !given.startsWith("json"))
    throw new CliError("usage", `--json means --format jsonl and cannot be combined with --format ${given}`);
  const name = (target ?? "").toLowerCase().replace(/\.(gz|zst)$/, "");
  const named = /\.(csv|tsv|json|jsonl|ndjson|parquet)$/.exec(name)?.[1] ?? "csv";
  const format = json ? "json" : (given ?? named);
  if (format === "parquet" && /\.(gz|zst)$/i.test(target ?? "")) throw packedParquet(target ?? "");
  return format.endsWith("json") || format === "jsonl" ? "json" : (format as OutputFormat);
}

/**
 * Standard output or a file, compressed where its name ends in .gz or .zst.
 *
 * @param raw leaves texts unescaped that a spreadsheet would run as formulas
 */
export function openOutput(
  target: string | undefined,
  format: OutputFormat,
  columns: ResultColumns,
  write: Digits,
  raw: boolean,
): PredictionOutput {
  if (format === "parquet")
    return { sink: parquetSink(target ?? STDOUT, columns), writer: scratchLines(columns) };
  const sink = target === undefined || target === STDOUT ? stdoutSink() : fileSink(target);
  if (format === "json") return { sink, writer: jsonLines(columns, write) };
  const separator = format === "tsv" ? "\t" : ",";
  return { sink, writer: separatedLines(columns, separator, write, raw ? asItIs : guardFormula) };
}

function asItIs(text: string): string {
  return text;
}
