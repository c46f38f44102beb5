// Compiles packages/conformant/assembly/ into the text of packages/conformant/src/kernels/simd-binary.ts.
//
//   node scripts/kernels.mjs           writes it
//   node scripts/kernels.mjs --check   fails where it is not what the source says

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const source = "packages/conformant/assembly/kernels.ts";
const target = "packages/conformant/src/kernels/simd-binary.ts";

const options = ["-O3", "--noAssert", "--runtime", "stub", "--enable", "simd", "--importMemory"];
const files = new Map();
const { error, stderr } = await asc.main([source, ...options, "--outFile", "kernels.wasm"], {
  // The compiler adds the ending to imports that have it, as all have here.
  readFile: (name) => {
    const file = name.replace(/(?:\.ts)+$/, ".ts");
    return existsSync(file) ? readFileSync(file, "utf8") : null;
  },
  writeFile: (name, contents) => files.set(name, contents),
});
if (error) {
  console.error(`${error.message}\n${stderr}`);
  process.exit(1);
}

const hex = Buffer.from(files.get("kernels.wasm")).toString("hex");
const lines = hex.match(/.{1,100}/g).map((line) => `  "${line}"`);
const text = `/** The compiled loops of assembly/ as hexadecimal bytes; written by \`npm run kernels\`. */
export const SIMD_BINARY =
${lines.join(" +\n")};
`;
if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error(`${target} is not what ${source} says: npm run kernels`);
  process.exit(1);
}
