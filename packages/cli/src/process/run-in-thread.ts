import { setTimeout as wait } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import { CliError } from "../errors.ts";
import type { Messages, Person } from "../options/command.ts";
import { enginesRest, linkThread } from "../output/cleanup.ts";
import { terminalPerson } from "../terminal/terminal-person.ts";
import { describeError } from "./describe-error.ts";
import type { ErrorReport, FromThread, ThreadStart, ToThread } from "./thread-messages.ts";

const MEBIBYTE = 2 ** 20;

/** A command that runs in a thread of its own. */
export interface ThreadRun {
  /** How it ended, undefined for well; open for ever where it is ended from outside. */
  readonly outcome: Promise<ErrorReport | undefined>;
  /** Ends it whatever it is doing; false where it could not be ended within so many milliseconds. */
  readonly end: (patience: number) => Promise<boolean>;
}

/** Starts a command; what it has to say and its results go to `messages` and standard output, in their order. */
export function runInThread(words: readonly string[], messages: Messages): ThreadRun {
  const cleanup = linkThread();
  const worker = new Worker(new URL("./command-thread.js", import.meta.url), {
    workerData: { words, cleanup } satisfies ThreadStart,
    transferList: [cleanup.events],
    stdin: true,
    // A thread's own default is less than what the main thread gets, and than --max-old-space-size allows.
    resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / MEBIBYTE) },
  });
  const send = (message: ToThread): void => worker.postMessage(message);
  let person: Person | undefined;
  let ending = false;
  const outcome = new Promise<ErrorReport | undefined>((resolve) => {
    const settle = (error?: ErrorReport): void => (ending ? undefined : resolve(error));
    worker.on("message", async (message: FromThread) => {
      if (ending) return;
      switch (message.kind) {
        case "note":
        case "warn":
          return messages[message.kind](message.text);
        case "progress":
          return messages.progress(...message.stage);
        case "clear":
          return messages.clear();
        case "write":
          messages.clear();
          if (process.stdout.write(message.text)) return send({ kind: "written" });
          return void process.stdout.once("drain", () => send({ kind: "written" }));
        case "read":
          return void process.stdin.pipe(worker.stdin as NodeJS.WritableStream);
        case "tell":
        case "ask":
          messages.clear();
          person ??= terminalPerson();
          if (message.kind === "tell") return person.tell(message.text);
          return send({ kind: "answer", text: await person.ask(message.question) });
        case "dismiss":
          return person?.close();
        case "done":
          return settle();
        case "failed":
          return settle(message.error);
      }
    });
    worker.once("error", (thrown) => settle(describeError(threadError(thrown))));
    worker.once("exit", () =>
      settle(describeError(new Error("the thread of the command ended without a result"))),
    );
  });
  return {
    outcome,
    end: async (patience) => {
      ending = true;
      person?.close();
      send({ kind: "stop" });
      const late = wait(patience, false);
      // A thread that is ended while an engine works for it brings the process down with it.
      return (await enginesRest(patience)) && Promise.race([worker.terminate().then(() => true), late]);
    },
  };
}

/** What ended the thread; the memory that it may take is the likeliest. */
function threadError(thrown: Error): Error {
  const { code } = thrown as NodeJS.ErrnoException;
  if (code !== "ERR_WORKER_OUT_OF_MEMORY") return thrown;
  return new CliError("out-of-memory", "the command needs more memory than it may take", {
    hint: "NODE_OPTIONS=--max-old-space-size=8192 allows it 8 GiB",
    cause: thrown,
  });
}
