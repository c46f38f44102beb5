import type { OptionSpecs } from "./command.ts";

/** Options of every command. */
export const globalOptions: OptionSpecs = {
  quiet: { short: "q", help: "print results and errors only" },
  debug: { help: "show the stack of an error" },
  help: { short: "h", help: "show this help" },
};
