// Puts what the Python package shares with the command beside its sources: the programs that answer and that export classifiers, and
// the licenses of what the engine is bundled with. The command's build has written the engine (packages/cli/tsdown.config.ts).

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TIE } from "conformant/internal";

/** Packages that the engine is bundled with (packages/cli/tsdown.config.ts lists them when it builds). */
const BUNDLED = [
  "@bufbuild/protobuf",
  "@nodable/entities",
  "anynum",
  "fast-xml-parser",
  "is-unsafe",
  "path-expression-matcher",
  "strnum",
  "xml-naming",
  "zod",
];

const root = fileURLToPath(new URL("..", import.meta.url));
const built = join(root, "python/src/conformant/_built");
const programs = join(root, "packages/workbench/src/export");

mkdirSync(join(built, "program"), { recursive: true });
for (const name of readdirSync(programs))
  if (name.startsWith("python-") && name.endsWith(".py"))
    copyFileSync(join(programs, name), join(built, "program", name.slice("python-".length)));
const { stdout } = spawnSync(process.execPath, [join(root, "packages/cli/dist/main.js"), "python"], {
  encoding: "utf8",
});
writeFileSync(join(built, "exporter.py"), stdout);
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
writeFileSync(join(built, "__init__.py"), `VERSION = ${JSON.stringify(version)}\nTIE = ${TIE}\n`);
writeFileSync(join(built, "engine/package.json"), '{ "type": "module" }\n');
writeFileSync(join(built, "engine/LICENSES.txt"), BUNDLED.map(licenseOf).join("\n\n"));

/** The license of a package: its text, or its name where the package has no text. */
function licenseOf(name) {
  const folder = join(root, "node_modules", name);
  const file = readdirSync(folder).find((own) => /^licen[cs]e/i.test(own));
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text =
    file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : `${license}\n`;
  return `${name}\n${"=".repeat(name.length)}\n\n${text}`;
}
