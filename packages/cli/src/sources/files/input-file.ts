import { createWriteStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CliError, quoted, systemError } from "../../errors.ts";
import { scratchFolder } from "../../output/scratch-folder.ts";
import { standardInput } from "../../output/standard-streams.ts";
import { type FileFormat, formatOf } from "../address.ts";
import { readHead } from "./file-head.ts";

/** Standard input can be read once only, and both the detection of its form and the fit read it again: it goes to a file first. */
export async function spoolStdin(): Promise<string> {
  const file = join(scratchFolder(), "stdin.csv");
  await pipeline(standardInput(), createWriteStream(file));
  return file;
}

/** The files that a path on the command line stands for, and their format. */
export interface InputFiles {
  readonly paths: readonly string[];
  readonly format: FileFormat;
}

/** Resolves a pattern. */
type Match = (pattern: string) => Promise<readonly string[]>;

/**
 * A file, the data files in a folder, or those that a pattern fits. A path that exists is never a pattern: `dl[1].csv` is a name
 * that browsers give.
 */
export async function findFiles(path: string, name: string, match: Match): Promise<InputFiles> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return oneFormat(dataFiles(path), name, "folder");
  if (!stat && /[*?[]/.test(path)) return oneFormat(await match(path), name, "pattern");
  checkReadable(path, name);
  return { paths: [path], format: formatOf(path) };
}

function oneFormat(paths: readonly string[], name: string, what: "folder" | "pattern"): InputFiles {
  const formats = [...new Set(paths.map(formatOf))];
  if (paths.length === 0)
    throw new CliError(
      "missing-file",
      `${quoted(name)}: the ${what} ${what === "folder" ? "has no data files" : "fits no file"}, expected .csv, .parquet or .json`,
    );
  if (formats.length > 1)
    throw new CliError(
      "unreadable-file",
      `${quoted(name)}: the ${what} has ${formats.join(" and ")} files, expected one kind`,
      {
        hint: "a pattern such as 'folder/*.parquet' chooses some of them",
      },
    );
  for (const path of paths) checkReadable(path, path);
  return { paths, format: formats[0] };
}

const DATA_FILE = /\.(csv|tsv|parquet|pq|json|jsonl|ndjson)(\.gz|\.zst)?$/i;

/** The data files in a folder and the folders in it; what begins with a dot or an underscore is for programs. */
function dataFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !/^[._]/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return dataFiles(path);
      return DATA_FILE.test(entry.name) ? [path] : [];
    });
}

/** Throws unless there is a file that can be read; the engine's own words for this are less clear. */
export function checkReadable(file: string, name: string): void {
  try {
    if (statSync(file).isDirectory())
      throw new CliError("unreadable-file", `${quoted(name)} is a folder, expected a file`);
    readHead(file, false);
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
