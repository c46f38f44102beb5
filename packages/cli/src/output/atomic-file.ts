import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CliError, quoted, systemError } from "../errors.ts";
import { keepResults, makeForNow, type Result, remove } from "./cleanup.ts";
import { HOLDER_TAG, holderTag, tagHasEnded } from "./holder.ts";
import { writeOut } from "./standard-streams.ts";

/** A chain of symbolic links longer than this is a loop; the limit of Linux. */
const MOST_LINKS = 40;

/** The permission bits of a file mode, and those the writer needs. */
const [MODES, OWN] = [0o7777, 0o600];

/** The file name that means standard output. */
export const STDOUT = "-";

/** A file that appears under its name only when it is complete. */
export interface AtomicFile {
  /** The file to write to: a temporary one beside the target, or the target itself where it is a device or a pipe. */
  readonly path: string;
  /** Renames the finished file to its final name. */
  readonly commit: () => void;
  /** Removes the unfinished file. */
  readonly discard: () => void;
}

/** Prepares a file. An unwritable folder is an error now, not after the work. */
export function createAtomicFile(target: string): AtomicFile {
  return createPending(target);
}

/** The temporary name under which this process writes a file. */
export function partialName(target: string): string {
  return `${target}.${holderTag()}.partial`;
}

/** Where the process tag is in the name of an unfinished file; earlier versions had the process number alone. */
const PARTIAL = new RegExp(`^(${HOLDER_TAG}|\\d+)\\.partial$`);

/**
 * Removes unfinished files that killed jobs left behind.
 *
 * @param whose of ended processes of this machine, or of all processes: for a caller who knows that nobody else writes the file
 */
export function removePartials(target: string, whose: "ended" | "all"): void {
  const [folder, start] = [dirname(target), `${basename(target)}.`];
  for (const name of namesIn(folder)) {
    if (!name.startsWith(start)) continue;
    const [, tag] = PARTIAL.exec(name.slice(start.length)) ?? [];
    if (tag !== undefined && (whose === "all" || tagHasEnded(tag))) remove(join(folder, name));
  }
}

/** The names in a folder; none where the folder may be written but not listed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Writes a text or bytes atomically. */
export function writeAtomically(target: string, content: string | Uint8Array): void {
  writeTogether([{ path: target, content }]);
}

/** The name and contents of a file to write. */
export interface FileContent {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/**
 * Writes several files; none of them gets its name before all are complete.
 *
 * @param makeFolders whether folders are made where they are missing
 */
export function writeTogether(contents: readonly FileContent[], makeFolders = false): void {
  const folders = makeFolders ? contents.flatMap(({ path }) => makeFolder(dirname(path))) : [];
  const isPrinted = ({ path }: FileContent): boolean => path === STDOUT;
  for (const { content } of contents.filter(isPrinted)) void writeOut(content);
  const files = contents
    .filter((file) => !isPrinted(file))
    .map(({ path, content }) => {
      const file = createPending(path);
      attempt(path, () =>
        writeBytes(file.path, typeof content === "string" ? Buffer.from(content) : content),
      );
      return file;
    });
  for (const file of files) file.flush();
  keepResults([...files.flatMap(({ naming }) => naming), ...folders]);
}

interface PendingFile extends AtomicFile {
  /** Flushes the file to disk. */
  readonly flush: () => void;
  /** Renames the finished file; absent for a device or a pipe. */
  readonly naming: readonly Result[];
}

function createPending(name: string): PendingFile {
  const nothing = (): void => undefined;
  if (name === STDOUT || isSpecial(name))
    return { path: name, commit: nothing, discard: nothing, flush: nothing, naming: [] };
  const target = linkedFile(name);
  const path = partialName(target);
  const before = statSync(target, { throwIfNoEntry: false });
  attempt(target, () => {
    makeForNow(path, () => closeSync(openSync(path, "w", before && (before.mode & MODES) | OWN)));
    removePartials(target, "ended");
  });
  const naming = [{ path, target, rename: () => attempt(target, () => renameSync(path, target)) }];
  const flush = (): void =>
    attempt(target, () => {
      const file = openSync(path, "r+");
      if (before) keepAccess(file, before);
      fsyncSync(file);
      closeSync(file);
    });
  return {
    path,
    commit: () => {
      flush();
      keepResults(naming);
    },
    discard: () => remove(path),
    flush,
    naming,
  };
}

/** Copies the mode, and where allowed the owner, of the file that is replaced. */
function keepAccess(file: number, { uid, gid, mode }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch {
    // Only root may change the owner, and some file systems have none.
  }
  try {
    fchmodSync(file, mode & MODES);
  } catch {
    // The file system has no modes.
  }
}

function writeBytes(path: string, bytes: Uint8Array): void {
  const handle = openSync(path, "w");
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
  } finally {
    closeSync(handle);
  }
}

/** Creates a folder and its missing parents. Until they are kept, the topmost new one is removed when the run fails. */
function makeFolder(folder: string): Result[] {
  let top: string | undefined;
  for (let at = folder; !existsSync(at); at = dirname(at)) top = at;
  if (top === undefined) return [];
  const path = top;
  attempt(folder, () => makeForNow(path, () => mkdirSync(folder, { recursive: true })));
  return [{ path, target: path, rename: () => undefined }];
}

function attempt(target: string, action: () => void): void {
  try {
    action();
  } catch (thrown) {
    throw outputError(target, thrown);
  }
}

/** A write error as a sentence about the target. */
export function outputError(target: string, thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  const { code, message } = systemError(thrown);
  if (code === "ENOSPC" || /no space left/i.test(message)) {
    return new CliError("disk-full", `${quoted(target)} could not be written: no space left on the device`, {
      cause: thrown,
    });
  }
  const why =
    {
      ENOENT: `there is no folder ${quoted(dirname(target))}`,
      EACCES: "permission denied",
      EROFS: "the file system is read-only",
      EISDIR: "it is a folder",
      ELOOP: "it is a link that leads back to itself",
      ENAMETOOLONG: "the name is too long",
    }[code] ?? message;
  return new CliError("unwritable-output", `${quoted(target)} could not be written: ${why}`, {
    cause: thrown,
  });
}

/** The target of a symbolic link, followed through further links, even where it does not exist yet; any other path unchanged. */
function linkedFile(path: string, links = 0): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  if (links === MOST_LINKS) throw outputError(path, Object.assign(new Error(), { code: "ELOOP" }));
  return linkedFile(resolve(dirname(path), readlinkSync(path)), links + 1);
}

/** Whether a path is a device, a pipe or a folder, which a rename would destroy. */
function isSpecial(target: string): boolean {
  let stats: Stats | undefined;
  attempt(target, () => {
    stats = statSync(target, { throwIfNoEntry: false });
  });
  if (stats?.isDirectory()) throw outputError(target, Object.assign(new Error(), { code: "EISDIR" }));
  return stats !== undefined && !stats.isFile();
}
