import { defineConfig } from "tsdown";
import { programTexts } from "../workbench/program-texts.ts";

/** The command. */
const command = defineConfig({
  // Threads start from a file: the one a command runs in, those in which the server answers what may take long, and those that share the library's work.
  entry: {
    main: "src/main.ts",
    "command-thread": "src/process/command-thread.ts",
    "query-worker": "src/server/query-worker.ts",
    "work-thread": "src/process/work-thread.ts",
  },
  plugins: [programTexts],
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false, // a command, not a library
  // Small to install; a stack trace (--debug) still has the names of the functions.
  minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } } },
  outExtensions: () => ({ js: ".js" }),
});

/** What an exported module carries of the library: one script without imports. */
const answering = defineConfig({
  entry: { answering: "src/commands/answering.ts" },
  outDir: "dist/answering",
  format: "iife",
  globalName: "conformant",
  noExternal: ["conformant"],
  platform: "neutral",
  target: "es2022",
  minify: true,
  dts: false,
});

export default [command, answering];
