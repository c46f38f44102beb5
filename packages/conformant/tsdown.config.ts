import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "tsdown";

/** Each file of src/entries is imported as conformant/NAME; what they share becomes files that no one imports by name. */
const entries = readdirSync("src/entries").map((file) => [basename(file, ".ts"), `src/entries/${file}`]);

const shared = {
  format: "esm",
  platform: "neutral", // the same files for browsers, workers and Node
  target: "es2022",
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
} as const;

export default defineConfig([
  {
    ...shared,
    entry: { index: "src/index.ts", ...Object.fromEntries(entries) },
    // Small to install: what the comments say stands in the types. Names of functions stay, for stack traces; others are short.
    minify: { compress: false, mangle: { keepNames: true } },
    dts: true,
  },
  // The library as one file, for pages that load it from a CDN.
  { ...shared, entry: { "conformant.min": "src/index.ts" }, minify: true, dts: false, clean: false },
]);
