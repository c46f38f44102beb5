import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";
import { type ArchiveFile, readWorkbookText } from "conformant-workbench/workbook";
import { scratchFolder } from "../../output/scratch-folder.ts";
import type { DataFiles } from "../duckdb/engine-files.ts";
import type { SourceOptions } from "../source-options.ts";

/** Copies a sheet of each Excel workbook into the scratch folder as CSV, row by row. */
export async function convertWorkbooks(
  paths: readonly string[],
  nameOf: (path: string) => string,
  options: SourceOptions,
): Promise<DataFiles> {
  const { sheet, expected, note, decimal, stored } = options;
  const styleOf = (column: string) => {
    const style = stored?.styles?.[column];
    return decimal === undefined ? style : { grouped: false, ...style, decimal };
  };
  const converted: string[] = [];
  for (const path of paths) {
    const target = join(scratchFolder(), `${randomUUID()}.csv`);
    const handle = await open(path);
    try {
      const file = await archiveFile(handle, nameOf(path));
      const text = readWorkbookText(file, { sheet, expected, note, styleOf, toChoose: "--sheet NAME" });
      await pipeline(inPieces(text), createWriteStream(target));
    } finally {
      await handle.close();
    }
    converted.push(target);
  }
  return { paths: converted, compression: "none" };
}

async function archiveFile(handle: FileHandle, name: string): Promise<ArchiveFile> {
  const { size } = await handle.stat();
  return {
    name,
    size,
    read: async (from, to) => {
      const bytes = new Uint8Array(to - from);
      await handle.read(bytes, 0, bytes.length, from);
      return bytes;
    },
    inflate: (bytes) => {
      const inflated = createInflateRaw();
      // The failure is thrown where the result is read.
      pipeline(Readable.from(bytes), inflated).catch(() => {});
      return inflated;
    },
  };
}

/** Characters written at a time. */
const PIECE = 1 << 16;

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = "";
  for await (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}
