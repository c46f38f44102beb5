import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { bin } from "./support/run.ts";
import { examples, Workplace } from "./support/workplace.ts";

const place = new Workplace();

test.each(["csv-to-predictions", "classifier-and-parquet", "explain-and-ask"])(
  "the walk %s prints what is shown beside it",
  async (name) => {
    const tools = place.path("conformant");
    writeFileSync(tools, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
    chmodSync(tools, 0o755);
    const env = { PATH: `${dirname(tools)}:${process.env.PATH}`, HOME: process.env.HOME ?? "" };
    const { stdout, stderr, status } = spawnSync("bash", [join(examples, `${name}.sh`)], {
      cwd: place.folder,
      env,
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
    await expect(stdout).toMatchFileSnapshot(join(examples, `${name}.txt`));
  },
);
