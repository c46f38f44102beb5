import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasPython } from "../../packages/workbench/test/export/support/python.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

test.skipIf(!hasPython("numpy, pandas, sklearn"))(
  "100 kills of the engine and of Python at random moments leave nothing behind, and the next call works",
  () => {
    const { status, stderr } = spawnSync(
      "/usr/bin/python3",
      ["-W", "ignore", join(root, "python/tests/test_slow_kills.py")],
      {
        encoding: "utf8",
        env: { ...process.env, PYTHONPATH: `${join(root, "python/src")}:${join(root, "python/tests")}` },
      },
    );
    expect(stderr).toMatch(/\nOK\n$/);
    expect(status).toBe(0);
  },
);
