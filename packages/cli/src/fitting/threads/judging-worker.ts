// A thread that judges candidates of a choice, beside others that do the same.

import { type MessagePort, workerData } from "node:worker_threads";
import { ConformantError } from "conformant";
import { type Judgement, type JudgeTask, judgeTrial, type Trial } from "conformant/remote";
import { STEPS, UNWANTED } from "./judging-state.ts";

/** What the thread is given when it starts. */
export interface JudgingStart {
  readonly port: MessagePort;
  /** One number, which every answer of any thread raises: who waits for answers waits for it to change. */
  readonly answered: Int32Array<SharedArrayBuffer>;
  /** The job that is not wanted any more, and how many steps the thread has made. */
  readonly state: Int32Array<SharedArrayBuffer>;
}

/** What the thread is asked: a task comes before its first job. */
export interface JudgingJob {
  readonly job: number;
  readonly task: number;
  /** Where the thread has not seen it. */
  readonly given?: JudgeTask;
  readonly trial: Trial;
}

/** What it answers. */
export interface JudgingAnswer {
  readonly job: number;
  readonly judgement?: Judgement;
  /** What was thrown; an error of the library as its parts, which a thread can hand over. */
  readonly error?: Error | Pick<ConformantError, "code" | "message">;
}

const { port, answered, state } = workerData as JudgingStart;
let [known, task]: [number, JudgeTask | undefined] = [-1, undefined];

port.on("message", ({ job, task: number, given, trial }: JudgingJob) => {
  if (number !== known || !task) [known, task] = [number, given];
  port.postMessage(answer(job, trial));
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
});

function answer(job: number, trial: Trial): JudgingAnswer {
  try {
    const signal = {
      get aborted(): boolean {
        Atomics.add(state, STEPS, 1); // who is asked whether to go on has got so far
        return Atomics.load(state, UNWANTED) === job;
      },
    };
    return { job, judgement: judgeTrial(task as JudgeTask, trial, { signal }) };
  } catch (thrown) {
    if (!(thrown instanceof ConformantError)) return { job, error: thrown as Error };
    const { code, message } = thrown;
    return { job, error: { code, message } };
  }
}
