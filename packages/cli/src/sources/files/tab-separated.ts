import type { Shape } from "conformant-workbench/sql";
import type { Batch, BatchColumn } from "../connector.ts";

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", r: "\r", n: "\n", t: "\t", "0": "\0" };
const WRITTEN: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };

/** The fields of a line of ClickHouse's TabSeparated format, which is also that of PostgreSQL's COPY; \N is NULL. */
export function splitLine(line: string): (string | null)[] {
  return line.split("\t").map(readText);
}

/**
 * Parses lines into columns.
 *
 * @param refuse called for a line with another number of fields than there are shapes
 */
export function readLines(
  lines: readonly string[],
  shapes: readonly Shape[],
  refuse: (line: string) => never,
): Batch {
  const columns = shapes.map((shape) => startColumn(shape, lines.length));
  const last = shapes.length - 1;
  for (let r = 0; r < lines.length; r++) {
    const line = lines[r];
    let from = 0;
    for (let c = 0; c <= last; c++) {
      const tab = line.indexOf("\t", from);
      if (tab < 0 !== (c === last)) refuse(line);
      const field = tab < 0 ? line.slice(from) : line.slice(from, tab);
      columns[c].put(r, field);
      from = tab + 1;
    }
  }
  return { rows: lines.length, columns: columns.map(({ cells }) => cells) };
}

interface GrowingColumn {
  readonly cells: BatchColumn;
  readonly put: (row: number, field: string) => void;
}

function startColumn(shape: Shape, rows: number): GrowingColumn {
  if (shape === "text") {
    const cells = new Array<string | null>(rows);
    return { cells, put: (row, field) => (cells[row] = readText(field)) };
  }
  const cells = shape === "number" ? new Float64Array(rows) : new Int32Array(rows);
  return { cells, put: (row, field) => (cells[row] = readNumber(field)) };
}

function readText(field: string): string | null {
  if (!field.includes("\\")) return field;
  return field === "\\N" ? null : field.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}

/** A field of such a line. */
export function writeField(text: string | null): string {
  if (text === null) return "\\N";
  return /[\t\n\r\\]/.test(text) ? text.replace(/[\t\n\r\\]/g, (letter) => WRITTEN[letter]) : text;
}

/** NaN for NULL and for "nan". */
function readNumber(field: string): number {
  const number = Number(field);
  if (!Number.isNaN(number)) return number;
  if (field === "inf" || field === "-inf")
    return field === "inf" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  return Number.NaN;
}
