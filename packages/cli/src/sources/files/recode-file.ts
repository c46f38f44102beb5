import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { CliError, quoted } from "../../errors.ts";
import { scratchFolder } from "../../output/scratch-folder.ts";
import type { DataFiles } from "../duckdb/engine-files.ts";

/** Whether a text mixes kinds of line ends outside quotes, as after prepending a header. */
export function hasMixedLineEnds(text: string): boolean {
  const ends = text.replace(/"[^"]*"/g, "").match(/\r\n|\n|\r(?!$)/g) ?? [];
  return ends.some((end) => end !== ends[0]);
}

/**
 * Rewrites a text file into the scratch folder in UTF-8 with one kind of line ends, as the engine requires.
 *
 * @param name the name of the file in messages
 */
async function recodeFile(
  path: string,
  name: string,
  compression: DataFiles["compression"],
  encoding: string,
): Promise<string> {
  if (compression === "zstd")
    throw new CliError("csv", `${quoted(name)}: a .zst file is read in UTF-8 only`, {
      hint: "unpack it first",
    });
  const target = join(scratchFolder(), `${randomUUID()}.csv`);
  const unpack = compression === "gzip" ? [createGunzip()] : [];
  try {
    await pipeline([createReadStream(path), ...unpack, recoder(encoding), createWriteStream(target)]);
  } catch (thrown) {
    if (thrown instanceof TypeError) throw wrongEncoding(name, encoding, thrown);
    throw thrown;
  }
  return target;
}

/** Recodes all files of a table, each from its own encoding. */
export async function recodeFiles(
  { paths, compression }: DataFiles,
  encodings: readonly string[],
  nameOf: (path: string) => string,
): Promise<DataFiles> {
  const recoded = paths.map((path, f) => recodeFile(path, nameOf(path), compression, encodings[f]));
  return { paths: await Promise.all(recoded), compression: "none" };
}

/** The error for a file in another encoding than given or assumed. */
export function wrongEncoding(name: string, encoding: string, cause?: unknown): CliError {
  return new CliError("csv", `${quoted(name)}: the file is not in ${encoding.toUpperCase()}`, {
    hint: "say its encoding, for example --encoding latin-1 or utf-16",
    cause,
  });
}

function recoder(encoding: string): Transform {
  const decoder = new TextDecoder(encoding, { fatal: true });
  // A carriage return at the end of a chunk may be half of a line end.
  let held = "";
  const recode = (text: string): string => {
    // Gnumeric writes a byte order mark before every thousand characters of UTF-16.
    const all = held + text.replaceAll("\uFEFF", "");
    held = all.endsWith("\r") ? "\r" : "";
    return all.slice(0, all.length - held.length).replace(/\r\n?/g, "\n");
  };
  const attempt = (work: () => string, done: (error: Error | null, text?: string) => void): void => {
    let text: string;
    try {
      text = work();
    } catch (thrown) {
      done(thrown as Error);
      return;
    }
    done(null, text);
  };
  return new Transform({
    transform: (bytes: Buffer, _, done) =>
      attempt(() => recode(decoder.decode(bytes, { stream: true })), done),
    flush: (done) => attempt(() => `${recode(decoder.decode())}${held && "\n"}`, done),
  });
}
