import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder for what test files share within one run. */
    readonly shared: string;
  }
}

/** Makes the shared folder before the first test file; what it returns removes it after the last. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "conformant-shared-"));
  project.provide("shared", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
