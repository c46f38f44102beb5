import { closeSync, fsyncSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { CliError, quoted, systemError } from "../errors.ts";
import { keep, remove, removeAtEnd } from "./cleanup.ts";

/** Where a result is written: it appears under its name only when it is complete. */
export interface AtomicFile {
  /** The file to write to: a temporary one beside the target, or the target where that is a device or a pipe. */
  readonly path: string;
  /** Gives the finished file its name. */
  readonly commit: () => void;
  /** Takes the unfinished file away. */
  readonly discard: () => void;
}

/** Prepares a file; an unwritable folder is found out now and not after the work. */
export function createAtomicFile(target: string): AtomicFile {
  if (isSpecial(target)) return { path: target, commit: () => undefined, discard: () => undefined };
  const path = `${target}.${process.pid}.partial`;
  removeAtEnd(path);
  try {
    closeSync(openSync(path, "w"));
  } catch (thrown) {
    throw outputError(target, thrown);
  }
  return {
    path,
    commit: () => {
      attempt(target, () => {
        const file = openSync(path, "r+");
        fsyncSync(file);
        closeSync(file);
        renameSync(path, target);
      });
      keep(path);
    },
    discard: () => remove(path),
  };
}

/** Writes a whole text, or bytes, atomically. */
export function writeAtomically(target: string, content: string | Uint8Array): void {
  const file = createAtomicFile(target);
  attempt(target, () => {
    const handle = openSync(file.path, "w");
    try {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    } finally {
      closeSync(handle);
    }
  });
  file.commit();
}

function attempt(target: string, action: () => void): void {
  try {
    action();
  } catch (thrown) {
    throw outputError(target, thrown);
  }
}

/** A failure to write, as a sentence about the target. */
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
    }[code] ?? message;
  return new CliError("unwritable-output", `${quoted(target)} could not be written: ${why}`, {
    cause: thrown,
  });
}

/** A device, a pipe or a folder: something that a rename would destroy. */
function isSpecial(target: string): boolean {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw outputError(target, Object.assign(new Error(), { code: "EISDIR" }));
  return stats !== undefined && !stats.isFile();
}
