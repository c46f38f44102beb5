import { existsSync, linkSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { outputError, partialName, removePartials } from "./atomic-file.ts";
import { forget, makeForNow, remove } from "./cleanup.ts";

/** How often one who waits looks again, in ms. */
const LOOK_MS = 500;

/**
 * Makes a file that only one can make, and waits while another has it.
 *
 * @param own what the file says about who has it
 * @param hasEnded whether whoever has it cannot give it free any more
 * @returns gives it free
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

/** Takes the file of one who has ended away; where a new one was made in between it is put back. */
function takeAway(path: string, ended: string): void {
  const aside = partialName(path);
  try {
    makeForNow(aside, () => renameSync(path, aside));
    if (readFileSync(aside, "utf8") !== ended) linkSync(aside, path);
  } catch {
    // someone else was faster
  } finally {
    remove(aside);
  }
}
