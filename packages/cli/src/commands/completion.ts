import { quoted } from "../errors.ts";
import type { Command } from "../options/command.ts";
import { completionScript, type Shell, shells } from "../options/completion-script.ts";
import { usage } from "../options/parse-command-line.ts";

/** The command that prints completion scripts. */
export function createCompletion(all: () => readonly Command[]): Command {
  const completion: Command = {
    name: "completion",
    summary: "print a completion script for bash, zsh or fish",
    arguments: ["SHELL"],
    argumentChoices: shells,
    options: {},
    example: 'eval "$(conformant completion bash)"',
    staysOnMain: true,
    run: async ({ positionals: [shell] }, { print }) => {
      if (!shells.includes(shell as Shell))
        throw usage(completion, `completion accepts ${shells.join(", ")}, got ${quoted(shell)}`);
      print(completionScript(shell as Shell, all()));
    },
  };
  return completion;
}
