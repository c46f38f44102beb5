// Everything that must hold before a change lands, in a fresh clone with nothing but node and npm.
// Each step is an npm script of its own; the first one that fails ends the run with its output.
// Nothing is written outside of the repository but into the system's folder for temporary files and npm's own cache.

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { missingPrograms } from "./programs.mjs";

const report = "reports/tests.json";

/** The npm scripts to run, cheap ones first. */
const steps = [
  "lint",
  "types",
  "imports",
  "package",
  "site",
  `test:unit -- --reporter=default --reporter=json --outputFile.json=${report}`,
];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
rmSync(report, { force: true }); // an earlier run must not speak for this one

const setup = spawnSync(process.execPath, ["scripts/setup.mjs"], { stdio: "inherit" });
if (setup.status !== 0) process.exit(1);

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

tellSkipped(JSON.parse(readFileSync(report, "utf8")));

/** Says which tests were skipped, what the machine lacks, and the one command that installs it. */
function tellSkipped({ testResults }) {
  const files = testResults.flatMap(({ name, assertionResults }) => {
    const skipped = assertionResults.filter(
      ({ status }) => status !== "passed" && status !== "failed",
    ).length;
    return skipped > 0 ? [`  ${String(skipped).padStart(3)}  ${relative(".", name)}`] : [];
  });
  if (files.length > 0) console.log(`skipped by file:\n${files.join("\n")}`);
  const missing = missingPrograms().map(({ name }) => name);
  if (missing.length > 0) console.log(`missing: ${missing.join(", ")}\nnpm run test:install installs them.`);
}
