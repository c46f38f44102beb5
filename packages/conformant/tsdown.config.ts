import { defineConfig } from "tsdown";

export default defineConfig({
  entry: "src/index.ts",
  format: "esm",
  platform: "neutral", // one file for browsers, workers and Node
  target: "es2022",
  // What the comments say stands in the types; those that tell a bundler what it may drop stay.
  outputOptions: { comments: { legal: true, annotation: true, jsdoc: false } },
  dts: true,
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
});
