import { cpSync } from "node:fs";
import { defineConfig } from "tsdown";

export default defineConfig({
  // Threads start from a file: the one a command runs in, and those in which the server answers what may take long.
  entry: {
    main: "src/main.ts",
    "command-thread": "src/running/command-thread.ts",
    "query-worker": "src/server/threads/query-worker.ts",
  },
  onSuccess: () => cpSync("../playground/dist", "dist/page", { recursive: true }),
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false, // a command, not a library
  sourcemap: true,
  outExtensions: () => ({ js: ".js" }),
});
