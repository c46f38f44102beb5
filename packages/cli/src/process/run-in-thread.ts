import { setTimeout as wait } from "node:timers/promises";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { CliError } from "../errors.ts";
import type { Messages, Person } from "../options/command.ts";
import { enginesRest, linkThread } from "../output/cleanup.ts";
import { terminalPerson } from "../terminal/terminal-person.ts";
import { describeError } from "./describe-error.ts";
import type { ErrorReport, FromThread, ThreadStart, ToThread } from "./thread-messages.ts";

const MEBIBYTE = 2 ** 20;
/** Steps of a function before Node.js 20 optimizes it, four times the usual: a fit of a small table is over before more of it pays. */
const [NODE_20, LATER] = [/^11\./, "--interrupt-budget=540000"];

/** Mebibytes for short-lived objects: fits make many, and with the usual 48 they are collected, and copied, more often. */
const YOUNG_GENERATION = 192;

/** A command that runs in its own thread. */
export interface ThreadRun {
  /** The error it ended with, undefined for success; never settles where the thread is terminated. */
  readonly outcome: Promise<ErrorReport | undefined>;
  /** Terminates it; false where that took longer than this many milliseconds. */
  readonly end: (patience: number) => Promise<boolean>;
}

/** Starts a command. Its messages and results are passed on in order. */
export function runInThread(words: readonly string[], messages: Messages): ThreadRun {
  const cleanup = linkThread();
  if (NODE_20.test(process.versions.v8)) setFlagsFromString(LATER);
  const worker = new Worker(new URL("./command-thread.js", import.meta.url), {
    workerData: { words, cleanup } satisfies ThreadStart,
    transferList: [cleanup.events],
    stdin: true,
    // A thread's default heap is smaller than that of the main thread and ignores --max-old-space-size.
    resourceLimits: {
      maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / MEBIBYTE),
      maxYoungGenerationSizeMb: YOUNG_GENERATION,
    },
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
      // Terminating a thread while an engine works for it crashes the process.
      return (await enginesRest(patience)) && Promise.race([worker.terminate().then(() => true), late]);
    },
  };
}

/** Why the thread ended; running out of memory is the most likely cause. */
function threadError(thrown: Error): Error {
  const { code } = thrown as NodeJS.ErrnoException;
  if (code !== "ERR_WORKER_OUT_OF_MEMORY") return thrown;
  return new CliError("out-of-memory", "the command needs more memory than it may take", {
    hint: "NODE_OPTIONS=--max-old-space-size=8192 allows it 8 GiB",
    cause: thrown,
  });
}
