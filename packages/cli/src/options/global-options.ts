import { grouped, type OptionSpecs } from "./command.ts";

/** Options of every command, before or after its name. */
export const globalOptions: OptionSpecs = grouped("Global options", {
  quiet: { short: "q", environment: true, help: "print results and errors only" },
  debug: { environment: true, help: "print the stack trace of an error" },
  help: { short: "h", help: "print this help" },
  version: { short: "V", help: "print the version" },
});

/** Splits a command line at the name of the command: global options may stand before it. */
export function splitCommandLine(words: readonly string[]): {
  readonly name: string | undefined;
  readonly rest: readonly string[];
} {
  const at = words.findIndex((word) => !word.startsWith("-"));
  return at < 0
    ? { name: undefined, rest: words }
    : { name: words[at], rest: [...words.slice(0, at), ...words.slice(at + 1)] };
}
