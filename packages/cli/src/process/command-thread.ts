// The thread in which a command runs, so that the main thread stays awake: it shows progress and ends the run at a signal.

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

/** Milliseconds between two messages about the progress of one stage. */
const PROGRESS_MS = 100;

const port = parentPort as MessagePort;
const { words, cleanup } = workerData as ThreadStart;
joinLink(cleanup);
port.on("message", receive);

/** Who waits for standard output to have room, in order. */
const waiting: (() => void)[] = [];
let answer: (text: string | undefined) => void = () => undefined;
/** False where the result would go to a closed standard output, and to nothing else. */
let mayWrite = true;
let room: Promise<void> = Promise.resolve();
redirectStreams({
  write: (text) => {
    if (!mayWrite)
      throw new CliError("unwritable-output", "standard output is closed", {
        hint: "-o FILE writes to a file, >/dev/null discards the result",
      });
    // One text is on its way while the next is made.
    const before = room;
    room = new Promise((resolve) => waiting.push(resolve));
    // A view would take the whole of its memory along.
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
