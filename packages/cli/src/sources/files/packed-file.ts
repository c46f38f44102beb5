import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { CliError, quoted, systemError } from "../../errors.ts";
import type { DataFiles } from "../duckdb/engine-files.ts";
import { isGzip, isZstandard, readHead } from "./file-head.ts";
import { foreignFormat } from "./foreign-format.ts";

/** The compression of a file, by its first bytes. */
export function compressionOf(path: string): DataFiles["compression"] {
  const head = readHead(path, false);
  return isGzip(head) ? "gzip" : isZstandard(head) ? "zstd" : "none";
}

/** Bytes scanned at a time. */
const PIECE = 1 << 20;
const LINE_END = 10;

/**
 * Throws if a compressed file is truncated or a text file ends in NUL bytes, as after a crash: the engine would take
 * the rest for the whole file.
 */
export async function requireWhole(
  path: string,
  name: string,
  compression: DataFiles["compression"],
  isText: boolean,
): Promise<void> {
  // A file that is not text is recognized when its beginning is read.
  if (compression === "none" && isText && !foreignFormat(readHead(path))) refuseNulBytes(path, name);
  if (compression === "gzip") await requireWholeGzip(path, name, isText);
  if (compression === "zstd" && !isWholeZstandard(path)) throw cutOff(name, "its last frame has no end");
}

/** Throws for a NUL byte in a text file: a file whose end was lost in a crash ends in them. */
function refuseNulBytes(path: string, name: string): void {
  const file = openSync(path, "r");
  try {
    if (!fstatSync(file).isFile()) return;
    const buffer = Buffer.alloc(PIECE);
    const search = (found: (piece: Buffer) => boolean): boolean => {
      for (let at = 0; ; at += PIECE) {
        const length = readSync(file, buffer, 0, PIECE, at);
        if (found(buffer.subarray(0, length))) return true;
        if (length < PIECE) return false;
      }
    };
    // Lines are counted only if one has to be named.
    const check = nulChecker(name);
    if (search((piece) => piece.includes(0)))
      search((piece) => {
        check(piece);
        return false;
      });
  } finally {
    closeSync(file);
  }
}

/** Scans the chunks of a text file one after the other. */
function nulChecker(name: string): (piece: Buffer) => void {
  let line = 1;
  return (piece) => {
    const nul = piece.indexOf(0);
    if (nul >= 0) throw nulError(name, line + countLines(piece.subarray(0, nul)));
    line += countLines(piece);
  };
}

function countLines(piece: Buffer): number {
  let lines = 0;
  for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) lines++;
  return lines;
}

/** A text file with a NUL character. */
export function nulError(name: string, line: number): CliError {
  return new CliError("csv", `${quoted(name)}, line ${line}: the file has NUL characters, expected text`, {
    hint: "it may be damaged; a file of two bytes a character is read with --encoding utf-16",
  });
}

async function requireWholeGzip(path: string, name: string, isText: boolean): Promise<void> {
  const check = isText ? nulChecker(name) : undefined;
  const reader = new Writable({
    write: (piece: Buffer, _, done) => {
      try {
        check?.(piece);
        done();
      } catch (thrown) {
        done(thrown as Error);
      }
    },
  });
  try {
    await pipeline(createReadStream(path), createGunzip(), reader);
  } catch (thrown) {
    throw thrown instanceof CliError ? thrown : cutOff(name, systemError(thrown).message, thrown);
  }
}

function cutOff(name: string, why: string, cause?: unknown): CliError {
  return new CliError("unreadable-file", `${quoted(name)} is cut off or damaged: ${why}`, { cause });
}

const [FRAME, SKIPPED, SKIPPED_MASK] = [0xfd2fb528, 0x184d2a50, 0xfffffff0];

/** Walks over the frames and blocks of a Zstandard file (RFC 8878) without unpacking them. */
function isWholeZstandard(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = (at: number, length: number): Buffer => {
      const buffer = Buffer.alloc(length);
      if (readSync(file, buffer, 0, length, at) < length) throw new RangeError("beyond the end");
      return buffer;
    };
    let at = 0;
    while (at < size) at = frameEnd(at, bytes);
    return at === size;
  } catch (thrown) {
    if (thrown instanceof RangeError) return false;
    throw thrown;
  } finally {
    closeSync(file);
  }
}

function frameEnd(start: number, bytes: (at: number, length: number) => Buffer): number {
  const magic = bytes(start, 4).readUInt32LE(0);
  if ((magic & SKIPPED_MASK) >>> 0 === SKIPPED) return start + 8 + bytes(start + 4, 4).readUInt32LE(0);
  if (magic !== FRAME) throw new RangeError("no frame");
  const [descriptor] = bytes(start + 4, 1);
  const single = (descriptor >> 5) & 1;
  const contentSize = [single, 2, 4, 8][descriptor >> 6];
  const dictionary = [0, 1, 2, 4][descriptor & 3];
  let at = start + 5 + (1 - single) + dictionary + contentSize;
  for (let isLast = false; !isLast; ) {
    const block = bytes(at, 3).readUIntLE(0, 3);
    isLast = (block & 1) === 1;
    at += 3 + (((block >> 1) & 3) === 1 ? 1 : block >> 3); // a repeated byte is one byte
  }
  return at + ((descriptor >> 2) & 1) * 4;
}
