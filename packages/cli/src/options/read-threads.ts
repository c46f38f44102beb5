import type { OptionSpec, Parsed } from "./command.ts";
import { readInteger } from "./read-value.ts";

/** More threads than this save no time, and each needs memory. */
const MOST_THREADS = 64;

/** The option for the number of threads; results do not depend on it. */
export const threadsOption: OptionSpec = {
  environment: true,
  group: "Advanced options",
  takes: "N",
  help: "number of threads; the result does not depend on it",
  initially: "all cores, for large tables",
};

/** The number of threads; undefined for the default. */
export function readThreads(parsed: Parsed): number | undefined {
  return parsed.text("threads") === undefined
    ? undefined
    : readInteger(parsed, "threads", 1, 1, MOST_THREADS);
}
