#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { closest } from "./arguments/closest.ts";
import type { Command } from "./arguments/command.ts";
import { commandHelp, programHelp } from "./arguments/help.ts";
import { parseCommandLine } from "./arguments/parse-command-line.ts";
import { commands } from "./commands/commands.ts";
import { CliError, toCliError } from "./errors.ts";
import { outputError } from "./output/atomic-file.ts";
import { removeLeftovers } from "./output/cleanup.ts";
import { palette } from "./terminal/colour.ts";
import { createMessages } from "./terminal/messages.ts";

/** Exit statuses: a wrong command line, and wrong data, model or environment. An interrupted run ends as shells expect. */
const [WRONG_USAGE, FAILED, INTERRUPTED] = [2, 1, 130];

const words = process.argv.slice(2);
const debug = words.includes("--debug");

/** What a signal to stop leads to; a command that has something to finish takes it over, for the first signal. */
let onSignal = interrupted;
process.on("SIGINT", () => onSignal());
process.on("SIGTERM", () => onSignal());
process.on("exit", removeLeftovers);
// A reader that has seen enough, such as head, closes the pipe: nothing is wrong, and nothing more is wanted.
process.stdout.on("error", (thrown: NodeJS.ErrnoException) =>
  end(thrown.code === "EPIPE" ? 0 : report(outputError("standard output", thrown))),
);

end(await main().catch(report));

async function main(): Promise<number> {
  const [name, ...rest] = words;
  if (name === "--version" || name === "-V") return say(version());
  if (name === undefined || name === "--help" || name === "-h" || name === "help")
    return say(programHelp(commands));
  const command = find(name);
  const parsed = parseCommandLine(command, rest);
  if (parsed.flag("help")) return say(commandHelp(command));
  const messages = createMessages(process.stderr, parsed.flag("quiet"));
  try {
    await command.run(parsed, { messages, print: (text) => void say(text), onInterrupt });
  } finally {
    messages.clear();
  }
  return 0;
}

function onInterrupt(handler: () => void): void {
  onSignal = () => {
    onSignal = interrupted; // a second signal does not wait
    handler();
  };
}

function find(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const near = closest(
    name,
    commands.map((candidate) => candidate.name),
  );
  const hint = near ? `did you mean conformant ${near}?` : "conformant --help lists the commands";
  throw new CliError("usage", `there is no command ${JSON.stringify(name)}`, { hint });
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function version(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Prints an error as one line, with a hint where there is one, and gives back the exit status. */
function report(thrown: unknown): number {
  const error = toCliError(thrown);
  const paint = palette(process.stderr);
  process.stderr.write(`${paint.red(`error[${error.code}]:`)} ${error.message}\n`);
  if (error.hint) process.stderr.write(`hint: ${error.hint}\n`);
  if (debug)
    process.stderr.write(
      `${error.stack ?? ""}\n${error.cause instanceof Error ? `caused by ${error.cause.stack}\n` : ""}`,
    );
  return error.code === "usage" || error.code === "not-available" ? WRONG_USAGE : FAILED;
}

function interrupted(): void {
  if (process.stderr.isTTY) process.stderr.write("\n"); // below the ^C that the terminal shows
  report(new CliError("interrupted", "stopped before the end; nothing was written"));
  end(INTERRUPTED);
}

/** Ends the run once standard output has taken what was written to it. */
function end(status: number): void {
  process.exitCode = status;
  removeLeftovers();
  if (status === INTERRUPTED || process.stdout.writableLength === 0) process.exit();
  process.stdout.once("drain", () => process.exit());
}
