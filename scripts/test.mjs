// Everything that must hold before a change lands, in a fresh clone with nothing but node and npm.
// Each step is an npm script of its own; the first one that fails ends the run with its output.

import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const report = "reports/tests.json";

/** The npm scripts to run, cheap ones first. */
const steps = [
  "lint",
  "types",
  "imports",
  "package",
  "docs:check",
  `test:unit -- --reporter=default --reporter=json --outputFile.json=${report}`,
];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
rmSync(report, { force: true }); // an earlier run must not speak for this one

const setup = spawnSync(process.execPath, ["scripts/setup.mjs"], { stdio: "inherit" });
if (setup.status !== 0) process.exit(1);
// Servers and a browser that the tests start, and engines that exported models are run in; tests whose program is missing are skipped.
const programs = [
  "chromium",
  "clickhouse-server",
  "gnumeric",
  "postgresql",
  "python3-onnx",
  "python3-pandas",
  "python3-sklearn",
  "sqlite3",
];
spawnSync(process.execPath, ["scripts/ensure-debian.mjs", ...programs], { stdio: "inherit" });

for (const step of steps) {
  const name = step.split(" ", 1)[0];
  process.stdout.write(`${name.padEnd(12)}`);
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(`npm run --silent ${step}`, {
    shell: true,
    encoding: "utf8",
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }) },
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok" : "FAILED"}  ${seconds} s`);
  if (status !== 0) {
    console.error(stdout + stderr);
    process.exit(1);
  }
}
