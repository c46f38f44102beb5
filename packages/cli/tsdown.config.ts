import { defineConfig } from "tsdown";
import { programTexts } from "../workbench/program-texts.ts";

/** Leaves out what opens tables, and with it the drivers: the engine gets its tables from Python. */
const withoutSources = {
  name: "without-sources",
  load: (id: string) =>
    /[/]sources[/](open-source|engine-table)[.]ts$|[/]report[/]report-page[.]ts$/.test(id)
      ? "export const openSource = undefined, engineTable = undefined, withMarks = undefined, reportPage = undefined;"
      : undefined,
};

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

/** The engine of the Python package: the same code without what opens files and databases, in one folder that needs no other package. */
const engine = defineConfig({
  entry: {
    main: "src/engine/main.ts",
    thread: "src/engine/thread.ts",
    "work-thread": "src/process/work-thread.ts",
  },
  outDir: "../../python/src/conformant/_built/engine",
  plugins: [programTexts, withoutSources],
  format: "esm",
  platform: "node",
  target: "node20",
  noExternal: [/.*/],
  dts: false,
  minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } } },
  outExtensions: () => ({ js: ".js" }),
});

export default [command, answering, engine];
