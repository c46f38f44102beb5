import { CliError, quoted } from "../errors.ts";
import { closest } from "../options/closest.ts";
import type { Command, Parsed } from "../options/command.ts";
import { parseCommandLine } from "../options/parse-command-line.ts";
import { refuseOverwriting } from "../options/refuse-overwriting.ts";
import { commands } from "./commands.ts";

/** The command that a command line calls, and its words after the check. */
export function readCommandLine([name, ...rest]: readonly string[]): {
  readonly command: Command;
  readonly parsed: Parsed;
} {
  const command = findCommand(name);
  const parsed = parseCommandLine(command, rest);
  refuseOverwriting(command, parsed);
  return { command, parsed };
}

function findCommand(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const near = closest(
    name,
    commands.map((candidate) => candidate.name),
  );
  const hint = near ? `did you mean conformant ${near}?` : "conformant --help lists the commands";
  throw new CliError("usage", `there is no command ${quoted(name)}`, { hint });
}
