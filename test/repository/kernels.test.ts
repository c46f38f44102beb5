import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { root } from "../repository.ts";

it("the compiled kernels are what their source says", () => {
  const { status, stderr } = spawnSync("node", ["scripts/kernels.mjs", "--check"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
