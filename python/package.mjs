// Builds the wheel of the Python package with Python's standard library, where Python is installed.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const backend = fileURLToPath(new URL("build_backend.py", import.meta.url));
const { error, status, stdout, stderr } = spawnSync("python3", [backend], { encoding: "utf8" });
if (error) console.log("python3 is not installed: no wheel was built");
else if (status !== 0) {
  console.error(stderr);
  process.exit(1);
} else console.log(stdout.trim());
