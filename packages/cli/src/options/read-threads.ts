import type { OptionSpec, Parsed } from "./command.ts";
import { readInteger } from "./read-value.ts";

/** A thread needs memory of its own; more of them than this end nothing sooner. */
const MOST_THREADS = 64;

/** The option for how many threads share some work; the result is the same for any number. */
export const threadsOption: OptionSpec = {
  environment: true,
  group: "Advanced options",
  takes: "N",
  help: "number of threads; the result does not depend on it",
  initially: "all cores, for large tables",
};

/** Their number; undefined where it is left to the machine. */
export function readThreads(parsed: Parsed): number | undefined {
  return parsed.text("threads") === undefined
    ? undefined
    : readInteger(parsed, "threads", 1, 1, MOST_THREADS);
}
