import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defaultExclude, defineConfig } from "vitest/config";
import { programTexts } from "./packages/workbench/program-texts.ts";
import { LongestFirst } from "./test/longest-first.ts";

const library = fileURLToPath(new URL("packages/conformant/src/", import.meta.url));
const slow = "**/*.slow.test.ts";

/** `vitest run` leaves the slow tests out; `vitest run --mode slow` runs only them. */
export default defineConfig(({ mode }) => ({
  plugins: [programTexts],
  // Tests see the sources, so that a failure points at the line that was written.
  resolve: {
    alias: [
      { find: /^conformant$/, replacement: `${library}index.ts` },
      { find: /^conformant[/]([a-z-]+)$/, replacement: `${library}entries/$1.ts` },
    ],
  },
  test: {
    include: mode === "slow" ? [slow] : ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    exclude: mode === "slow" ? defaultExclude : [...defaultExclude, slow],
    // For what hangs: a busy machine is no failure.
    testTimeout: mode === "slow" ? 600_000 : 120_000,
    hookTimeout: 120_000,
    globalSetup: "test/shared-folder.ts",
    setupFiles: "test/engine-math.ts",
    // Files that follow each other in a worker share what they import, so that it is compiled and warmed up once: four tenths of the time of the library's tests.
    isolate: mode === "slow",
    // Most tests wait for a command or a server of their own: with a worker more than there are cores none of these is idle meanwhile. Slow ones compute.
    maxWorkers: availableParallelism() + (mode === "slow" ? 0 : 1),
    sequence: { sequencer: LongestFirst },
  },
}));
