// Installs the programs that tests use and this machine lacks, by Debian's packages. It is the only script of this repository
// that changes anything outside of it; `npm test` skips the tests whose program is missing and names this one.
//
//   npm run test:install

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { missingPrograms } from "./programs.mjs";

const UPDATE_MS = 120_000;
const INSTALL_MS = 600_000;

const missing = missingPrograms();
if (missing.length === 0) console.log("everything that the tests use is here");
else process.exitCode = install(missing) ? 0 : 1;

function install(wanted) {
  const packages = [...new Set(wanted.flatMap((program) => program.packages))];
  console.log(`missing: ${listNames(wanted)}`);
  if (!existsSync("/usr/bin/apt-get")) {
    console.error(`only Debian's packages are known here: ${packages.join(" ")}`);
    return false;
  }
  if (process.getuid?.() !== 0) {
    console.error("apt needs root: sudo npm run test:install");
    return false;
  }
  console.log(`apt-get install ${packages.join(" ")}`);
  const done = keepServersStopped();
  apt(["update"], UPDATE_MS); // an old list may do
  apt(
    ["install", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold", ...packages],
    INSTALL_MS,
  );
  done();
  const left = missingPrograms();
  if (left.length > 0) console.error(`apt could not install ${listNames(left)}`);
  return left.length === 0;
}

/** The tests start servers of their own; the packages are not to make and start one. */
function keepServersStopped() {
  const settings = "/etc/postgresql-common/createcluster.conf";
  if (!existsSync(settings)) {
    mkdirSync("/etc/postgresql-common", { recursive: true });
    writeFileSync(settings, "create_main_cluster = false\n");
  }
  const policy = "/usr/sbin/policy-rc.d"; // 101 forbids packages to start what they install
  if (existsSync(policy)) return () => undefined;
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  return () => rmSync(policy, { force: true });
}

function apt(words, timeout) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", ["-qq", "-y", ...words], { env, timeout, stdio: "ignore" });
}

function listNames(some) {
  return some.map(({ name }) => name).join(", ");
}
