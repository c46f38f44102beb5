import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputError } from "./atomic-file.ts";
import { makeForNow } from "./cleanup.ts";
import { HOLDER_TAG, holderTag, tagHasEnded } from "./holder.ts";

const OWN = new RegExp(`^conformant-(${HOLDER_TAG})-[0-9a-f-]{36}$`);

let folder: string | undefined;

/** The folder for temporary files of this run: created on first use, or again where something has deleted it, and removed at the end. */
export function scratchFolder(): string {
  if (folder === undefined || !existsSync(folder)) {
    const path = join(tmpdir(), `conformant-${holderTag()}-${randomUUID()}`);
    try {
      makeForNow(path, () => mkdirSync(path, { mode: 0o700 }));
    } catch (thrown) {
      throw outputError(path, thrown);
    }
    folder = path;
  }
  return folder;
}

/** Removes the folders of killed runs of this machine. */
export function removeDeadFolders(): void {
  try {
    for (const name of readdirSync(tmpdir())) {
      const [, tag] = OWN.exec(name) ?? [];
      if (tag !== undefined && tagHasEnded(tag))
        rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  } catch {
    // Folders of other users cannot be removed; a full disk is reported by whoever creates a folder.
  }
}
