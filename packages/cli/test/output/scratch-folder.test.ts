import { existsSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { scratchFolder } from "../../src/output/scratch-folder.ts";

test("temporary files have one folder, and another where that one was tidied away", () => {
  const first = scratchFolder();
  expect(scratchFolder()).toBe(first);
  rmSync(first, { recursive: true });
  const second = scratchFolder();
  expect(second).not.toBe(first);
  expect(existsSync(second)).toBe(true);
});
