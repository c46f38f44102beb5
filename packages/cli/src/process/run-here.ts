import { commands } from "../commands/commands.ts";
import { readCommandLine } from "../commands/read-command-line.ts";
import type { Context } from "../options/command.ts";
import { splitCommandLine } from "../options/global-options.ts";
import { commandHelp, programHelp } from "../options/help.ts";
import { silence } from "../terminal/messages.ts";
import { version } from "../version.ts";

/** Prints help or the version, or runs a command that stays on the main thread; false for any other command line. */
export async function runHere(words: readonly string[], context: Context): Promise<boolean> {
  const { command, parsed } = readCommandLine(words);
  const { name } = splitCommandLine(words);
  if (parsed.flag("version")) context.print(version());
  else if (parsed.flag("help"))
    context.print(name === undefined ? programHelp(commands) : commandHelp(command));
  else if (command.staysOnMain)
    await command.run(
      parsed,
      parsed.flag("quiet") ? { ...context, messages: silence(context.messages) } : context,
    );
  else return false;
  return true;
}
