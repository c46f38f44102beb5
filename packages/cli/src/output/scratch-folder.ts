import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeAtEnd } from "./cleanup.ts";

let folder: string | undefined;

/** A folder for this run's temporary files, made when first asked for and removed at the end. */
export function scratchFolder(): string {
  if (folder === undefined) {
    folder = mkdtempSync(join(tmpdir(), "conformant-"));
    removeAtEnd(folder);
  }
  return folder;
}
