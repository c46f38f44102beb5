import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const examples = fileURLToPath(new URL("../../../../examples", import.meta.url));

/** A folder for the files of one test file, with `penguins.csv` in it; removed at the end. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), "conformant-cli-test-"));

  constructor() {
    copyFileSync(join(examples, "penguins.csv"), this.path("penguins.csv"));
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }
}
