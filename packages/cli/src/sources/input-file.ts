import { createWriteStream, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CliError, quoted, systemError } from "../errors.ts";
import { scratchFolder } from "../output/scratch-folder.ts";
import { standardInput } from "../output/standard-streams.ts";
import { isGzip, readHead } from "./file-head.ts";

/** Standard input can be read once only, and both the sniffer and the fit read it again: it goes to a file first. */
export async function spoolStdin(): Promise<string> {
  const file = join(scratchFolder(), "stdin.csv");
  await pipeline(standardInput(), createWriteStream(file));
  if (!isGzip(readHead(file, false))) return file;
  renameSync(file, `${file}.gz`);
  return `${file}.gz`;
}

/** Throws unless there is a file that can be read; the engine's own words for this are less clear. */
export function checkReadable(file: string, name: string): void {
  if (/[*?]/.test(file)) return; // a pattern, which the engine resolves
  try {
    if (statSync(file).isDirectory())
      throw new CliError("unreadable-file", `${quoted(name)} is a folder, expected a file`);
    readHead(file);
  } catch (thrown) {
    if (thrown instanceof CliError) throw thrown;
    throw readError(name, thrown);
  }
}

/** A failure to read a file, as a sentence about it. */
export function readError(name: string, thrown: unknown): CliError {
  const { code, message } = systemError(thrown);
  if (code === "ENOENT")
    return new CliError("missing-file", `there is no file ${quoted(name)}`, { cause: thrown });
  const why = code === "EACCES" ? "permission denied" : code === "EISDIR" ? "it is a folder" : message;
  return new CliError("unreadable-file", `${quoted(name)} cannot be read: ${why}`, { cause: thrown });
}
