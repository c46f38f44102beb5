import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { outputError } from "./atomic-file.ts";
import { keep, removeAtEnd } from "./cleanup.ts";

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
    if (make(path, own)) return () => rmSync(path, { force: true });
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
    const file = openSync(path, "wx");
    removeAtEnd(path);
    writeSync(file, own);
    closeSync(file);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw outputError(path, thrown);
  }
}

/** Takes the file of one who has ended away; where a new one was made in between it is put back. */
function takeAway(path: string, ended: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // someone else was faster
  }
  removeAtEnd(aside);
  if (readFileSync(aside, "utf8") !== ended) linkSync(aside, path);
  rmSync(aside, { force: true });
  keep(aside);
}
