import type { Shape } from "../sql/source-column.ts";
import type { Batch, BatchColumn } from "./connector.ts";

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", r: "\r", n: "\n", t: "\t", "0": "\0" };

/** The fields of a line of ClickHouse's TabSeparated format; \N is NULL. */
export function splitLine(line: string): (string | null)[] {
  return line.split("\t").map((field) => {
    if (!field.includes("\\")) return field;
    return field === "\\N"
      ? null
      : field.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
  });
}

/** Rows of texts as columns. */
export function readBatch(rows: readonly (readonly (string | null)[])[], shapes: readonly Shape[]): Batch {
  return { rows: rows.length, columns: shapes.map((shape, c) => readColumn(rows, c, shape)) };
}

function readColumn(rows: readonly (readonly (string | null)[])[], c: number, shape: Shape): BatchColumn {
  if (shape === "text") return rows.map((row) => row[c]);
  return shape === "number"
    ? Float64Array.from(rows, (row) => readDouble(row[c]))
    : Int32Array.from(rows, (row) => Number(row[c]));
}

function readDouble(text: string | null): number {
  if (text === "inf") return Number.POSITIVE_INFINITY;
  if (text === "-inf") return Number.NEGATIVE_INFINITY;
  return text === null ? Number.NaN : Number(text); // "nan" is not a number either
}
