import { cpSync } from "node:fs";
import { defineConfig } from "tsdown";

export default defineConfig({
  // The server answers what may take long in threads of their own, which start from a file.
  entry: { main: "src/main.ts", "query-worker": "src/server/query-worker.ts" },
  onSuccess: () => cpSync("../playground/dist", "dist/page", { recursive: true }),
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false, // a command, not a library
  sourcemap: true,
  outExtensions: () => ({ js: ".js" }),
});
