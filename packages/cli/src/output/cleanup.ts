import { rmSync } from "node:fs";

/** Files and folders that must not outlive the run, whatever ends it. */
const leftovers = new Set<string>();

/** Remembers a file or folder that is to be removed at the end of the run. */
export function removeAtEnd(path: string): void {
  leftovers.add(path);
}

/** Forgets a file that has become a result. */
export function keep(path: string): void {
  leftovers.delete(path);
}

/** Removes one now. */
export function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
  leftovers.delete(path);
}

/** Removes everything that was remembered; safe to call twice and from a signal. */
export function removeLeftovers(): void {
  for (const path of leftovers) {
    try {
      remove(path);
    } catch {
      leftovers.delete(path); // nothing more can be done at the end of the run
    }
  }
}
