import { defineConfig } from "tsdown";

export default defineConfig({
  entry: "src/index.ts",
  format: "esm",
  platform: "neutral", // one file for browsers, workers and Node
  target: "es2022",
  dts: { sourcemap: true },
  sourcemap: true,
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
});
