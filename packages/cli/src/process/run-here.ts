import { commands } from "../commands/commands.ts";
import { readCommandLine } from "../commands/read-command-line.ts";
import type { Context } from "../options/command.ts";
import { commandHelp, programHelp } from "../options/help.ts";
import { silence } from "../terminal/messages.ts";

/** Words that ask for the help of the program. */
const HELP: ReadonlySet<string | undefined> = new Set([undefined, "help", "--help", "-h"]);

/** Shows a help, or runs a command that stays on the main thread; false where the words want something else. */
export async function runHere(words: readonly string[], context: Context): Promise<boolean> {
  if (HELP.has(words[0])) {
    context.print(programHelp(commands));
    return true;
  }
  const { command, parsed } = readCommandLine(words);
  if (parsed.flag("help")) context.print(commandHelp(command));
  else if (command.staysOnMain)
    await command.run(
      parsed,
      parsed.flag("quiet") ? { ...context, messages: silence(context.messages) } : context,
    );
  else return false;
  return true;
}
