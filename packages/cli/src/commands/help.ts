import { CliError, quoted } from "../errors.ts";
import { closest } from "../options/closest.ts";
import type { Command } from "../options/command.ts";
import { commandHelp, manualPage, programHelp } from "../options/help.ts";
import { version } from "../version.ts";

/** The command that prints the help of the program, of a command, or the manual page. */
export function createHelp(names: readonly string[], all: () => readonly Command[]): Command {
  return {
    name: "help",
    summary: "print the help of a command or the manual page",
    arguments: ["COMMAND?"],
    argumentChoices: names,
    options: { man: { help: "print the manual page, as man -l reads it" } },
    example: "conformant help fit",
    staysOnMain: true,
    run: async (parsed, { print }) => {
      const [name] = parsed.positionals;
      if (parsed.flag("man")) print(manualPage(all(), version()));
      else print(name === undefined ? programHelp(all()) : commandHelp(findCommand(name, all())));
    },
  };
}

/** The command with a name. */
export function findCommand(name: string, commands: readonly Command[]): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const near = closest(
    name,
    commands.map((candidate) => candidate.name),
  );
  const hint = near ? `did you mean conformant ${near}?` : "conformant --help lists the commands";
  throw new CliError("usage", `there is no command ${quoted(name)}`, { hint });
}
