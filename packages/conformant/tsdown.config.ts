import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "tsdown";

/** Each file of src/entries is imported as conformant/NAME; what they share becomes files that no one imports by name. */
const entries = readdirSync("src/entries").map((file) => [basename(file, ".ts"), `src/entries/${file}`]);

export default defineConfig({
  entry: { index: "src/index.ts", ...Object.fromEntries(entries) },
  format: "esm",
  platform: "neutral", // one file for browsers, workers and Node
  target: "es2022",
  // What the comments say stands in the types; those that tell a bundler what it may drop stay.
  outputOptions: { comments: { legal: true, annotation: true, jsdoc: false } },
  dts: true,
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
});
