// Writes the address of the repository wherever it stands: the package files, the citation, the issue forms, and that of the site in README.
// The one in package.json is the one that is replaced; a test checks that no other is left.
//
//   node scripts/set-address.mjs https://github.com/someone/conformant

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const address = process.argv[2]?.replace(/\/$/, "");
if (!/^https:\/\/[^\s/]+\/[^\s]+[^/]$/.test(address ?? "")) {
  console.error("expected an address, such as https://github.com/someone/conformant");
  process.exit(2);
}
const before = JSON.parse(readFileSync("package.json", "utf8")).bugs.replace(/\/issues$/, "");
const files = [
  "package.json",
  "packages/conformant/package.json",
  "packages/cli/package.json",
  "packages/page/package.json",
  "CITATION.cff",
  ".github/ISSUE_TEMPLATE/config.yml",
];
/** Where GitHub shows the site of a repository. */
const siteOf = (repository) => {
  const [owner, name] = repository.split("/").slice(-2);
  return `https://${owner.toLowerCase()}.github.io/${name}`;
};
writeFileSync("README.md", readFileSync("README.md", "utf8").replaceAll(siteOf(before), siteOf(address)));
for (const file of files) writeFileSync(file, readFileSync(file, "utf8").replaceAll(before, address));
