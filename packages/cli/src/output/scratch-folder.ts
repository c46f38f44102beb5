import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputError } from "./atomic-file.ts";
import { makeForNow } from "./cleanup.ts";

let folder: string | undefined;

/** A folder for this run's temporary files, made when first asked for, or when somebody has tidied it away, and removed at the end. */
export function scratchFolder(): string {
  if (folder === undefined || !existsSync(folder)) {
    const path = join(tmpdir(), `conformant-${randomUUID()}`);
    try {
      makeForNow(path, () => mkdirSync(path, { mode: 0o700 }));
    } catch (thrown) {
      throw outputError(path, thrown);
    }
    folder = path;
  }
  return folder;
}
