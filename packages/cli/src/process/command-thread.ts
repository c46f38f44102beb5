// The thread that runs a command, so that the main thread can show progress and handle signals.

import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { readCommandLine } from "../commands/read-command-line.ts";
import { CliError } from "../errors.ts";
import type { Context, Messages, Person } from "../options/command.ts";
import { STDOUT } from "../output/atomic-file.ts";
import { enginesRest, interruptEngines, joinLink } from "../output/cleanup.ts";
import { removeDeadFolders } from "../output/scratch-folder.ts";
import { isOutputClosed, redirectStreams, writeOut } from "../output/standard-streams.ts";
import { silence } from "../terminal/messages.ts";
import { printable } from "../terminal/printable.ts";
import { describeError } from "./describe-error.ts";
import type { FromThread, ThreadStart, ToThread } from "./thread-messages.ts";

/** Milliseconds between two progress messages of a stage. */
const PROGRESS_MS = 100;

const port = parentPort as MessagePort;
const { words, cleanup } = workerData as ThreadStart;
joinLink(cleanup);
port.on("message", receive);

/** Callbacks that wait for room on standard output, in order. */
const waiting: (() => void)[] = [];
let answer: (text: string | undefined) => void = () => undefined;
/** False where the result would go only to a closed standard output. */
let mayWrite = true;
let room: Promise<void> = Promise.resolve();
redirectStreams({
  write: (text) => {
    if (!mayWrite)
      throw new CliError("unwritable-output", "standard output is closed", {
        hint: "-o FILE writes to a file, >/dev/null discards the result",
      });
    // One text is sent while the next is prepared.
    const before = room;
    room = new Promise((resolve) => waiting.push(resolve));
    // Transferring a view would transfer its whole buffer.
    post({ kind: "write", text: typeof text === "string" ? text : Uint8Array.from(text) });
    return before;
  },
  read: () => {
    post({ kind: "read" });
    return process.stdin;
  },
});

run()
  .finally(() => enginesRest(Number.POSITIVE_INFINITY))
  .then(
    () => post({ kind: "done" }),
    (thrown) => post({ kind: "failed", error: describeError(thrown) }),
  );

async function run(): Promise<void> {
  removeDeadFolders();
  const { command, parsed } = readCommandLine(words);
  const writesFile = Object.entries(command.options).some(
    ([name, { writes }]) => writes && parsed.flag(name) && parsed.text(name) !== STDOUT,
  );
  mayWrite = writesFile || !isOutputClosed();
  const context: Context = {
    messages: parsed.flag("quiet") ? silence(createMessages()) : createMessages(),
    print: (text) => void writeOut(`${printable(text)}\n`),
    person: createPerson,
    onInterrupt: () => undefined,
  };
  context.messages.progress(`starting ${command.name}`);
  await command.run(parsed, context);
}

function post(message: FromThread): void {
  port.postMessage(message);
}

function receive(message: ToThread): void {
  if (message.kind === "written") waiting.shift()?.();
  else if (message.kind === "answer") answer(message.text);
  else interruptEngines();
}

function createMessages(): Messages {
  let [stage, told] = ["", 0];
  return {
    quiet: false,
    note: (text) => post({ kind: "note", text }),
    warn: (text) => post({ kind: "warn", text }),
    clear: () => post({ kind: "clear" }),
    progress: (...now) => {
      if (now[0] === stage && performance.now() - told < PROGRESS_MS) return;
      [stage, told] = [now[0], performance.now()];
      post({ kind: "progress", stage: now });
    },
  };
}

function createPerson(): Person {
  return {
    tell: (text) => post({ kind: "tell", text }),
    ask: (question) =>
      new Promise((resolve) => {
        answer = resolve;
        post({ kind: "ask", question });
      }),
    close: () => post({ kind: "dismiss" }),
  };
}
