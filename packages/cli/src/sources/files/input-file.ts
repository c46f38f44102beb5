import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CliError, quoted, systemError } from "../../errors.ts";
import { scratchFolder } from "../../output/scratch-folder.ts";
import { standardInput } from "../../output/standard-streams.ts";
import { type FileFormat, namedFormat, STDIN } from "../address.ts";
import { readHead } from "./file-head.ts";

/** Copies of pipes, by the command-line argument that names the pipe. */
const spooled = new WeakMap<readonly string[], Map<string, string>>();

/** Copies a pipe to a file: it can be read only once, and its format is detected before its rows are read. */
async function spool(words: readonly string[], path: string): Promise<string> {
  const known = spooled.get(words) ?? new Map<string, string>();
  spooled.set(words, known);
  const file = known.get(path) ?? (await copyPipe(path));
  known.set(path, file);
  return file;
}

async function copyPipe(path: string): Promise<string> {
  const file = join(scratchFolder(), randomUUID());
  await pipeline(path === STDIN ? standardInput() : createReadStream(path), createWriteStream(file));
  return file;
}

/** The files that a path on the command line names, and their format. */
export interface InputFiles {
  readonly paths: readonly string[];
  readonly format: FileFormat;
  /** The name of one of them in messages. */
  readonly nameOf: (path: string) => string;
}

/** Resolves a pattern. */
type Match = (pattern: string) => Promise<readonly string[]>;

/**
 * Files, the data files in folders, and those that patterns match, all of one format.
 *
 * @param name the name of all of them in messages
 * @param format detected by the name of a file or its first bytes, unless given
 */
export async function findFiles(
  words: readonly string[],
  name: string,
  match: Match,
  format?: FileFormat,
): Promise<InputFiles> {
  const found: string[] = [];
  const names = new Map<string, string>();
  for (const word of words) {
    const own = await filesOf(words, word, match);
    found.push(...own);
    if (own.length === 1)
      names.set(own[0], words.length === 1 ? name : word === STDIN ? "standard input" : word);
  }
  const nameOf = (path: string): string => names.get(path) ?? path;
  for (const path of found) checkReadable(path, nameOf(path));
  const formatOf = (path: string): FileFormat =>
    format ?? namedFormat(path) ?? namedFormat(nameOf(path)) ?? formatOfHead(path);
  const formats = [...new Set(found.map(formatOf))];
  if (formats.length === 1) return { paths: found, format: formats[0], nameOf };
  throw new CliError(
    "unreadable-file",
    `${quoted(name)}: expected files of one format, got ${formats.join(" and ")}`,
    { hint: "a pattern such as 'folder/*.parquet' chooses some of them" },
  );
}

/** An existing path is never a pattern: browsers create names like `dl[1].csv`. */
async function filesOf(words: readonly string[], word: string, match: Match): Promise<readonly string[]> {
  if (word === STDIN) return [await spool(words, word)];
  const stat = statSync(word, { throwIfNoEntry: false });
  if (stat?.isFIFO()) return [await spool(words, word)];
  const isPattern = !stat && /[*?[]/.test(word);
  if (!stat?.isDirectory() && !isPattern) return [word];
  const paths = isPattern ? await match(word) : dataFiles(word);
  if (paths.length > 0) return paths;
  throw new CliError(
    "missing-file",
    `${quoted(word)}: the ${isPattern ? "pattern matches no file" : "folder has no data files"}, expected .csv, .parquet, .json or .xlsx`,
  );
}

/** The format of a file without a known ending; delimited text unless its beginning tells otherwise. */
function formatOfHead(path: string): FileFormat {
  const start = readHead(path)
    .subarray(0, 1000)
    .toString()
    .replace(/^[\ufeff\s]+/, "");
  if (start.startsWith("PAR1")) return "parquet";
  if (start.startsWith("PK\x03\x04")) return "xlsx";
  return /^(\{\s*["}]|\[\s*[{\]])/.test(start) ? "json" : "csv";
}

const DATA_FILE = /\.(xls[xm]|(csv|tsv|parquet|pq|json|jsonl|ndjson)(\.gz|\.zst)?)$/i;

/** The data files in a folder and its subfolders, except names that begin with a dot or an underscore. */
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

/** Throws unless the file exists and can be read; the engine's own message is less clear. */
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

/** A failure to read a file, as an error that names it. */
export function readError(name: string, thrown: unknown): CliError {
  const { code, message } = systemError(thrown);
  if (code === "ENOENT")
    return new CliError("missing-file", `there is no file ${quoted(name)}`, { cause: thrown });
  const why = code === "EACCES" ? "permission denied" : code === "EISDIR" ? "it is a folder" : message;
  return new CliError("unreadable-file", `${quoted(name)} cannot be read: ${why}`, { cause: thrown });
}
