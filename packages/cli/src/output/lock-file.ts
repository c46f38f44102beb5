import { existsSync, linkSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { outputError, partialName, removePartials } from "./atomic-file.ts";
import { forget, makeForNow, remove } from "./cleanup.ts";

/** Milliseconds between two attempts to take the lock. */
const LOOK_MS = 500;

/**
 * Creates a lock file, and waits while another process holds it.
 *
 * @param own the contents of the file, which describe its holder
 * @param hasEnded whether the holder can no longer release it
 * @returns releases the lock
 */
export async function lockFile(
  path: string,
  own: string,
  hasEnded: (holder: string) => boolean,
  waiting: (holder: string) => void,
): Promise<() => void> {
  for (let told = false; ; ) {
    if (make(path, own)) {
      removePartials(path, "ended");
      return () => remove(path);
    }
    const holder = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (hasEnded(holder)) takeAway(path, holder);
    else {
      if (!told) waiting(holder);
      told = true;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

function make(path: string, own: string): boolean {
  try {
    makeForNow(path, () => writeFileSync(path, own, { flag: "wx" }));
    return true;
  } catch (thrown) {
    forget(path);
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw outputError(path, thrown);
  }
}

/** Removes the lock of an ended process; puts the file back where another process has taken the lock meanwhile. */
function takeAway(path: string, ended: string): void {
  const aside = partialName(path);
  try {
    makeForNow(aside, () => renameSync(path, aside));
    if (readFileSync(aside, "utf8") !== ended) linkSync(aside, path);
  } catch {
    // another process was faster
  } finally {
    remove(aside);
  }
}
