// Installs Debian packages that tests need, where they are missing and apt works; says in a line what is there.
// Where apt is not to be had the tests that need the package are skipped and reported as such.
//
//   node scripts/ensure-debian.mjs postgresql

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";

const UPDATE_MS = 120_000;
const INSTALL_MS = 300_000;

const missing = process.argv.slice(2).filter((name) => !isInstalled(name));
if (missing.length > 0) console.log(`debian: ${missing.join(", ")} ${install(missing)}`);

function isInstalled(name) {
  const { status, stdout } = spawnSync("dpkg-query", ["-W", "-f", `\${Status}`, name], { encoding: "utf8" });
  return status === 0 && stdout.includes("install ok installed");
}

function install(names) {
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0)
    return "missing, and only root can install it with apt";
  const done = keepServersStopped();
  apt(["update"], UPDATE_MS); // an old list may do
  apt(["install", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold", ...names], INSTALL_MS);
  done();
  return names.every(isInstalled) ? "installed" : "missing, and apt could not install it";
}

/** The tests start a server of their own; the package is not to make and start one. */
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
