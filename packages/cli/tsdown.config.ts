import { defineConfig } from "tsdown";

export default defineConfig({
  entry: "src/main.ts",
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false, // a command, not a library
  sourcemap: true,
  outExtensions: () => ({ js: ".js" }),
});
