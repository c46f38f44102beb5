// Makes a clone usable: installs what package-lock.json names, then builds the packages.
// A step is skipped while the fingerprint of its inputs is the one recorded when it last succeeded.
//
//   node scripts/setup.mjs             does what is out of date
//   node scripts/setup.mjs --rebuild   builds every package again

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Parts of a package that its build does not read. */
const notBuilt = new Set(["dist", "node_modules", "test"]);

/** Packages that others are built on: the library, and what command and page share. */
const foundations = ["packages/conformant", "packages/workbench"];

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

bringUpToDate({
  name: "install",
  // --ignore-scripts: no dependency needs its install script, so none gets to run.
  command: "npm ci --ignore-scripts --no-audit --no-fund",
  inputs: ["package-lock.json"],
  outputs: ["node_modules/.package-lock.json"],
});

for (const { folder, commands } of packagesWithBuild()) {
  bringUpToDate({
    name: `build ${folder}`,
    command: `npm run build --workspace ${folder}`,
    inputs: [
      "package-lock.json",
      "tsconfig.base.json",
      "python/build.mjs", // the command's build makes the engine of the Python package
      ...new Set([...foundations, folder]),
    ],
    outputs: [`${folder}/dist`, ...(folder === "packages/cli" ? ["python/src/conformant/_built"] : [])],
    always: process.argv.includes("--rebuild"),
  });
  // npm links a command only if its file exists, and before the first build it does not.
  for (const command of commands) {
    bringUpToDate({
      name: `link ${command}`,
      command: "npm rebuild --ignore-scripts",
      inputs: [`${folder}/package.json`],
      outputs: [`node_modules/.bin/${command}`],
    });
  }
}

function bringUpToDate({ name, command, inputs, outputs, always = false }) {
  const stamp = join("node_modules/.setup", name);
  const fingerprint = fingerprintOf(inputs);
  const recorded = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  if (!always && recorded === fingerprint && outputs.every((output) => existsSync(output))) return;

  console.log(`${name}: ${command}`);
  rmSync(stamp, { force: true }); // a step that fails half-way must run again
  const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: "utf8" });
  if (status !== 0) {
    console.error(stdout + stderr);
    process.exit(1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint);
}

/** The packages that have a build script, with the commands they offer. */
function packagesWithBuild() {
  const others = readdirSync("packages", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `packages/${name}`)
    .filter((folder) => !foundations.includes(folder));
  return [...foundations, ...others].flatMap((folder) => {
    if (!existsSync(`${folder}/package.json`)) return [];
    const { scripts, bin = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    return scripts?.build ? [{ folder, commands: Object.keys(bin) }] : [];
  });
}

/** SHA-256 of the names and contents of all files in or under the given paths. */
function fingerprintOf(paths) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(filesUnder)) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

function filesUnder(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => !notBuilt.has(name))
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}
