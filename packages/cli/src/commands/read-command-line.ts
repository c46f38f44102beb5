import type { Command, Parsed } from "../options/command.ts";
import { splitCommandLine } from "../options/global-options.ts";
import { parseCommandLine } from "../options/parse-command-line.ts";
import { refuseOverwriting } from "../options/refuse-overwriting.ts";
import { commands } from "./commands.ts";
import { findCommand } from "./help.ts";

/** The command of a command line with its checked arguments; without a command, the help. */
export function readCommandLine(words: readonly string[]): {
  readonly command: Command;
  readonly parsed: Parsed;
} {
  const { name, rest } = splitCommandLine(words);
  const command = findCommand(name ?? "help", commands);
  const parsed = parseCommandLine(command, rest);
  refuseOverwriting(command, parsed);
  return { command, parsed };
}
