import { availableParallelism } from "node:os";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import {
  FEW_CELLS,
  type JudgingAnswer,
  type JudgingState,
  type JudgingThread,
  JudgingThreads,
} from "conformant-workbench";
import { CliError } from "../../errors.ts";
import type { JudgingStart } from "./judging-worker.ts";

/**
 * Threads of the command that judge candidates; the main thread ends them all at a signal.
 *
 * @param count as many as there are cores where they pay, unless given
 */
export function judgingThreads(count: number | undefined): JudgingThreads {
  return new JudgingThreads({
    count: count ?? availableParallelism(),
    few: count === undefined ? FEW_CELLS : 0,
    start: startThread,
    lost: () =>
      new CliError("out-of-memory", "a thread that compares models has ended without a word", {
        hint: "use fewer --threads, or --components N, which compares nothing",
      }),
  });
}

function startThread(state: JudgingState): JudgingThread {
  const { port1: port, port2 } = new MessageChannel();
  const start: JudgingStart = { port: port2, state };
  const worker = new Worker(new URL("./judging-worker.js", import.meta.url), {
    workerData: start,
    transferList: [port2],
  });
  port.unref();
  worker.unref();
  return {
    post: (job) => port.postMessage(job),
    receive: () => receiveMessageOnPort(port)?.message as JudgingAnswer | undefined,
    end: () => worker.terminate(),
  };
}
