// Checks that a tag may be published: it is the version of every package, and CHANGELOG.md has a dated section for it.
//
//   node scripts/check-release.mjs v0.2.0

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const tag = process.argv[2] ?? "";
const folders = [".", "packages/conformant", "packages/page", "packages/cli"];
const versions = folders
  .map((folder) => join(folder, "package.json"))
  .map((path) => [path, JSON.parse(readFileSync(path, "utf8")).version]);
const complaints = versions
  .filter(([, version]) => tag !== `v${version}`)
  .map(([path, version]) => `${path} has version ${version}, the tag is ${tag || "missing"}`);
const heading = new RegExp(`^## \\[${tag.slice(1).replaceAll(".", "\\.")}\\] - \\d{4}-\\d{2}-\\d{2}$`, "m");
if (!heading.test(readFileSync("CHANGELOG.md", "utf8")))
  complaints.push(`CHANGELOG.md has no heading "## [${tag.slice(1)}] - year-month-day"`);

for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length > 0 ? 1 : 0;
