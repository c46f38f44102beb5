import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { quoteIdentifier, quoteLiteral } from "conformant-workbench/sql";
import { parquetType } from "./kept-type.ts";
import { type ResultColumns, resultNames } from "./prediction-lines.ts";
import { placeName, resultTypes } from "./scratch-table.ts";

/** How to write a query to a Parquet file. */
export interface ParquetCopy {
  /** The statement that writes the file. */
  readonly sql: string;
  /** Called after it was written. */
  readonly finish: () => void;
}

/**
 * Writes the columns of a query to a Parquet file, under the result's names and without loss.
 *
 * @param metadata texts stored in the file's footer
 */
export function parquetCopy(
  query: string,
  target: string,
  result: ResultColumns,
  metadata: Readonly<Record<string, string>>,
): ParquetCopy {
  const [names, types] = [resultNames(result), resultTypes(result)];
  const standIns = new Map<string, string>();
  const written = names.map((name, c) => {
    const isFirst = names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === c;
    if (isFirst) return name;
    const standIn = randomBytes(16).toString("hex");
    standIns.set(standIn, name);
    return standIn;
  });
  const selected = written.map(
    (name, c) => `CAST(${placeName(c)} AS ${parquetType(types[c])}) AS ${quoteIdentifier(name)}`,
  );
  const places = names.map((_, c) => placeName(c)).join(", ");
  const entries = Object.entries(metadata).map(([key, value]) => `${key}: ${quoteLiteral(value)}`);
  const kept = entries.length > 0 ? `, KV_METADATA {${entries.join(", ")}}` : "";
  return {
    // The target is a temporary file already; the engine's own temporary file would be left behind after an error.
    sql: `COPY (SELECT ${selected.join(", ")} FROM (${query}) AS answers(${places})) TO ${quoteLiteral(target)} (FORMAT parquet, USE_TMP_FILE false${kept})`,
    finish: () => renameColumns(target, standIns),
  };
}

/** The end of a Parquet file: the length of its footer, and "PAR1". */
const TAIL = 8;

/**
 * Renames columns of a Parquet file: the engine changes names that differ only in case. The footer is in Thrift's compact protocol, in
 * which a text follows its length and nothing else depends on the length.
 */
function renameColumns(path: string, names: ReadonlyMap<string, string>): void {
  if (names.size === 0) return;
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(TAIL);
    readSync(file, tail, 0, TAIL, size - TAIL);
    const start = size - TAIL - tail.readUInt32LE(0);
    let description: Buffer = Buffer.alloc(size - TAIL - start);
    readSync(file, description, 0, description.length, start);
    for (const [standIn, name] of names)
      description = replaceAll(description, thriftText(standIn), thriftText(name));
    tail.writeUInt32LE(description.length, 0);
    const end = Buffer.concat([description, tail]);
    writeSync(file, end, 0, end.length, start);
    ftruncateSync(file, start + end.length);
  } finally {
    closeSync(file);
  }
}

/** A text in Thrift: its length, seven bits per byte, then its bytes. */
function thriftText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length: number[] = [];
  for (let rest = bytes.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) return Buffer.concat([Buffer.from(length), bytes]);
  }
}

function replaceAll(bytes: Buffer, sought: Buffer, replacement: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, from)) {
    pieces.push(bytes.subarray(from, at), replacement);
    from = at + sought.length;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}
