// A worker that judges candidates of a choice, beside others that do the same.

import { type JudgingJob, type JudgingState, judgingWorker, usePortableMath } from "conformant-workbench";
import { SharedValue } from "./shared-value.ts";

/** What a worker is told: where its answers go, then what it shares with who waits for them, then its jobs. */
export type JudgingTold = { readonly answers: SharedArrayBuffer } | JudgingState | JudgingJob;

usePortableMath(); // as who asks does

let answers: SharedValue | undefined;
let judge: ((asked: JudgingJob) => void) | undefined;

addEventListener("message", ({ data }: MessageEvent<JudgingTold>) => {
  if ("answers" in data) {
    answers = new SharedValue(data.answers);
    postMessage("ready");
  } else if ("answered" in data) judge = judgingWorker(data, (answer) => answers?.put(answer));
  else judge?.(data);
});
