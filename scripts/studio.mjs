// Writes the page that makes models to reports/studio: files for any folder of any web server.
//
//   npm run studio

import { cpSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../packages/playground/dist", import.meta.url));
const folder = fileURLToPath(new URL("../reports/studio", import.meta.url));
rmSync(folder, { recursive: true, force: true });
cpSync(page, folder, { recursive: true });
writeFileSync(`${folder}/page.json`, JSON.stringify({ studio: true }));
console.log(`the studio is in ${folder}; any web server can offer it`);
