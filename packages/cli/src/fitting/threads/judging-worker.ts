// A thread that judges candidates of a choice, beside others that do the same.

import { type MessagePort, workerData } from "node:worker_threads";
import { type JudgingJob, type JudgingState, judgingWorker, usePortableMath } from "conformant-workbench";

/** What the thread is given when it starts. */
export interface JudgingStart {
  readonly port: MessagePort;
  readonly state: JudgingState;
}

usePortableMath(); // as who asks does

const { port, state } = workerData as JudgingStart;
const judge = judgingWorker(state, (answer) => port.postMessage(answer));
port.on("message", (asked: JudgingJob) => judge(asked));
