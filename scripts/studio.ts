// Writes the page that makes models: files for any folder of any web server to reports/studio, and all of it as one HTML file beside it.
//
//   npm run studio

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { collectPage, packPage } from "conformant-workbench";

const page = fileURLToPath(new URL("../packages/page/dist", import.meta.url));
const folder = fileURLToPath(new URL("../reports/studio", import.meta.url));
const settings = JSON.stringify({ studio: true });
const read = (name: string): string => readFileSync(join(page, name), "utf8");

rmSync(folder, { recursive: true, force: true });
cpSync(page, folder, { recursive: true });
writeFileSync(join(folder, "page.json"), settings);
const examples = readdirSync(join(page, "examples")).map((name) => `examples/${name}`);
const own = { "page.json": settings, ...Object.fromEntries(examples.map((name) => [name, read(name)])) };
const parts = await collectPage(async (name) => read(name), true);
writeFileSync(`${folder}.html`, await packPage(parts, own));
console.log(`the studio is in ${folder}, for any web server, and in ${folder}.html, for any browser`);
