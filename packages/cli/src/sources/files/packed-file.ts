import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { CliError, quoted, systemError } from "../../errors.ts";
import type { DataFiles } from "../duckdb/engine-files.ts";
import { isGzip, isZstandard, readHead } from "./file-head.ts";

/** How a file is packed, by its first bytes. */
export function compressionOf(path: string): DataFiles["compression"] {
  const head = readHead(path, false);
  return isGzip(head) ? "gzip" : isZstandard(head) ? "zstd" : "none";
}

/** Throws where a packed file is cut off: the engine would take what is there for all of it. */
export async function requireWhole(
  path: string,
  name: string,
  compression: DataFiles["compression"],
): Promise<void> {
  if (compression === "gzip") await requireWholeGzip(path, name);
  if (compression === "zstd" && !isWholeZstandard(path)) throw cutOff(name, "its last frame has no end");
}

async function requireWholeGzip(path: string, name: string): Promise<void> {
  const nowhere = new Writable({ write: (_, __, done) => done() });
  try {
    await pipeline(createReadStream(path), createGunzip(), nowhere);
  } catch (thrown) {
    throw cutOff(name, systemError(thrown).message, thrown);
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
