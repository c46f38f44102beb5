import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readText } from "../repository.ts";

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)("the unit for systemd in the documentation is one, by systemd-analyze", () => {
  const [, unit = ""] = /^```ini\n([^`]+)^```$/m.exec(readText("docs/service.md")) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "conformant-unit-"));
  const path = join(folder, "conformant.service");
  // The command need not be installed where the unit is checked.
  writeFileSync(path, unit.replace("/usr/local/bin/conformant", process.execPath));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect([status, stderr.split("\n").filter((line) => line.includes("conformant"))]).toEqual([0, []]);
});
