import type { OptionSpec, Parsed } from "./command.ts";
import { readInteger } from "./read-value.ts";

/** A thread needs memory of its own; more of them than this end nothing sooner. */
const MOST_THREADS = 64;

/** The option for how many threads share some work. */
export function threadsOption(does: string): OptionSpec {
  const help = `threads that ${does}; without it as many as the machine has cores, for tables where they pay; the outcome is the same for any number`;
  return { takes: "N", help };
}

/** Their number; undefined where it is left to the machine. */
export function readThreads(parsed: Parsed): number | undefined {
  return parsed.text("threads") === undefined
    ? undefined
    : readInteger(parsed, "threads", 1, 1, MOST_THREADS);
}
