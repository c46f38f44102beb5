import { fileSink, stdoutSink, type TextSink } from "../output/text-sink.ts";
import { guardFormula } from "./guard-formula.ts";
import { parquetSink } from "./parquet-sink.ts";
import {
  type Digits,
  jsonLines,
  type LineWriter,
  type ResultColumns,
  separatedLines,
} from "./prediction-lines.ts";
import { scratchLines } from "./scratch-table.ts";

/** Where predictions go, and in which form. */
export interface PredictionOutput {
  readonly sink: TextSink;
  readonly writer: LineWriter;
}

/**
 * By the file's name: Parquet, JSON lines, tab-separated or CSV, packed where it ends in .gz; standard output without one.
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
  const name = (target ?? "").replace(/\.gz$/, "").toLowerCase();
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
