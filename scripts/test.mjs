// Everything that must hold before a change lands, in a fresh clone with nothing but node and npm.
// Each step is an npm script of its own; one that fails ends the run with its output.
// Nothing is written outside of the repository but into the system's folder for temporary files and npm's own cache.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { missingPrograms } from "./programs.mjs";

const report = "reports/tests.json";

/** The npm scripts to run: those that look at the sources at the same time, as most of them keep but one core busy, then the tests. */
const steps = [
  ["lint", "types", "imports", "package", "site"],
  [`test:unit -- --reporter=default --reporter=json --outputFile.json=${report}`],
];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
rmSync(report, { force: true }); // an earlier run must not speak for this one

const setup = spawnSync(process.execPath, ["scripts/setup.mjs"], { stdio: "inherit" });
if (setup.status !== 0) process.exit(1);

for (const together of steps)
  if (!(await Promise.all(together.map(runStep))).every((passed) => passed)) process.exit(1);

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

/** Runs a script to its end, and says how it went and how long it took; its output is shown where it failed. */
async function runStep(step) {
  const start = performance.now();
  const child = spawn(`npm run --silent ${step}`, {
    shell: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }) },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [status] = await once(child, "close");
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${step.split(" ", 1)[0].padEnd(12)}${status === 0 ? "ok" : "FAILED"}  ${seconds} s`);
  if (status !== 0) console.error(output);
  return status === 0;
}
