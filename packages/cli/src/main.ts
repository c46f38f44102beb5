#!/usr/bin/env node
import { constants } from "node:os";
import { CliError } from "./errors.ts";
import { isOn } from "./options/command.ts";
import { splitCommandLine } from "./options/global-options.ts";
import { outputError } from "./output/atomic-file.ts";
import { removeLeftovers, stopMaking, writtenResults } from "./output/cleanup.ts";
import { describeError } from "./process/describe-error.ts";
import { errorText, statusOf } from "./process/error-text.ts";
import { runInThread, type ThreadRun } from "./process/run-in-thread.ts";
import type { ErrorReport } from "./process/thread-messages.ts";
import { palette } from "./terminal/color.ts";
import { createMessages } from "./terminal/messages.ts";
import { terminalPerson } from "./terminal/terminal-person.ts";
import { version } from "./version.ts";

/** The exit status of an interrupted run less the number of the signal, as shells expect. */
const SIGNALLED = 128;
/** Milliseconds that a thread has to end after a signal, after its reader has gone, and a file that is just being named. */
const [PATIENCE, NO_HURRY, MOMENT] = [350, 5000, 50];

/** Words of a run that needs no thread: the commands are not loaded on this thread, which takes long, for any other. */
const HELP: ReadonlySet<string | undefined> = new Set(["--help", "-h", "--version", "-V"]);
const HERE: ReadonlySet<string | undefined> = new Set([undefined, "help", "serve", "studio", "completion"]);

const words = process.argv.slice(2);
/** What errors look like, known before the command line is checked. */
const [json, debug] = [
  words.includes("--json"),
  words.includes("--debug") || isOn(process.env.CONFORMANT_DEBUG),
];
const messages = createMessages(process.stderr);
let thread: ThreadRun | undefined;
let isStopping = false;

type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";
/** What a signal to stop leads to; a command that has something to finish takes it over, for the first signal. */
let onSignal: (signal: Signal) => unknown = interrupted;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => onSignal(signal));
process.on("exit", removeLeftovers);
// A reader that has seen enough, such as head, closes the pipe: nothing is wrong, and nothing more is wanted.
process.stdout.on("error", async (thrown: NodeJS.ErrnoException) => {
  const status = thrown.code === "EPIPE" ? 0 : report(describeError(outputError("standard output", thrown)));
  stopMaking(MOMENT);
  if ((await thread?.end(NO_HURRY)) === false) die("SIGPIPE");
  end(status);
});
process.stderr.on("error", () => undefined); // nobody is there to be told

end(await main().catch((thrown) => report(describeError(thrown))));

async function main(): Promise<number> {
  if (words.length === 1 && ["--version", "-V"].includes(words[0])) return say(version());
  if (HERE.has(splitCommandLine(words).name) || words.some((word) => HELP.has(word))) {
    const { runHere } = await import("./process/run-here.ts");
    if (await runHere(words, { messages, print: say, person: terminalPerson, onInterrupt })) return 0;
  }
  thread = runInThread(words, messages);
  const error = await thread.outcome;
  if (isStopping) return new Promise(() => undefined); // the run is ended by what the signal has begun
  messages.clear();
  return error ? report(error) : 0;
}

function onInterrupt(handler: () => void): void {
  onSignal = () => {
    onSignal = interrupted; // a second signal does not wait
    handler();
  };
}

function say(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Prints an error; returns the exit status. */
function report(error: ErrorReport): number {
  process.stderr.write(errorText(error, { json, debug, red: palette(process.stderr).red }));
  return statusOf(error);
}

/** Stops the run: first nothing new is made, then what is there is taken away, and at last the thread is ended. */
async function interrupted(signal: Signal): Promise<void> {
  onSignal = () => undefined; // the end is near, and must not come earlier than the leftovers are gone
  isStopping = true;
  stopMaking(MOMENT);
  removeLeftovers();
  messages.clear();
  if (process.stderr.isTTY) process.stderr.write("\n"); // below the ^C that the terminal shows
  const { complete, unknown } = await writtenResults(PATIENCE);
  const parts = [
    ...(complete.length > 0 ? [`${complete.join(", ")} had been written`] : []),
    ...(unknown.length > 0 ? [`${unknown.join(", ")} may have been written: run it again to be sure`] : []),
  ];
  const what = parts.length > 0 ? parts.join("; ") : "nothing was written";
  report(describeError(new CliError("interrupted", `stopped before the end; ${what}`)));
  const ended = (await thread?.end(PATIENCE)) ?? true;
  removeLeftovers();
  if (ended) process.exit(SIGNALLED + constants.signals[signal]);
  die(signal);
}

/** Ends as if nobody had listened to the signal: at once, even where a thread is inside a call of the system that does not return. */
function die(signal: Signal | "SIGPIPE"): void {
  removeLeftovers();
  process.on(signal, () => undefined).removeAllListeners(signal); // which brings back what the system does at a signal
  process.kill(process.pid, signal);
}

/** Ends the run once standard output has taken what was written to it. */
function end(status: number): void {
  process.exitCode = status;
  removeLeftovers();
  if (process.stdout.writableLength === 0) process.exit();
  process.stdout.once("drain", () => process.exit());
}
