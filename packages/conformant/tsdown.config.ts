import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "tsdown";

/** Each file of src/entries is imported as conformant/NAME; what they share becomes files that no one imports by name. */
const entries = readdirSync("src/entries").map((file) => [basename(file, ".ts"), `src/entries/${file}`]);

export default defineConfig({
  entry: { index: "src/index.ts", ...Object.fromEntries(entries) },
  format: "esm",
  platform: "neutral", // the same files for browsers, workers, CDNs and Node
  target: "es2022",
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
  // Readable, so that a debugger and a stack trace show the code as it was written; bundlers minify it.
  minify: false,
  sourcemap: true,
  dts: true,
});
