import { ConformantError, type ErrorCode } from "conformant";
import { type Judgement, type JudgeTask, judgeTrial, type Trial } from "conformant/remote";

/** Numbers that a thread which judges and the one that waits for it share. */
export interface JudgingState {
  /** One number, which every answer of any thread raises: who waits for answers waits for it to change. */
  readonly answered: Int32Array<SharedArrayBuffer>;
  /** The thread's own: the last job that is not wanted any more, and how many steps it has made. */
  readonly own: Int32Array<SharedArrayBuffer>;
}

/** Places of the thread's own numbers. */
export const [UNWANTED, STEPS] = [0, 1] as const;

/** What a thread is asked: a task comes with its first job. */
export interface JudgingJob {
  readonly job: number;
  readonly task: number;
  /** Where the thread has not seen it. */
  readonly given?: JudgeTask;
  readonly trial: Trial;
}

/** What it answers: data that can be handed over. */
export interface JudgingAnswer {
  readonly job: number;
  readonly judgement?: Judgement;
  readonly error?: JudgingError;
}

/** What was thrown, as its parts; an error of the library has a code. */
export interface JudgingError {
  readonly code?: ErrorCode;
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
}

/** What a thread does with its jobs: it judges each, hands the answer over by `give`, and wakes who waits. */
export function judgingWorker(
  { answered, own }: JudgingState,
  give: (answer: JudgingAnswer) => void,
): (asked: JudgingJob) => void {
  let [known, task]: [number, JudgeTask | undefined] = [-1, undefined];
  return ({ job, task: number, given, trial }) => {
    if (number !== known || !task) [known, task] = [number, given];
    const signal = {
      get aborted(): boolean {
        Atomics.add(own, STEPS, 1); // who is asked whether to go on has got so far
        return Atomics.load(own, UNWANTED) === job;
      },
    };
    give({ job, ...judged(() => judgeTrial(task as JudgeTask, trial, { signal })) });
    Atomics.add(answered, 0, 1);
    Atomics.notify(answered, 0);
  };
}

function judged(judge: () => Judgement): Omit<JudgingAnswer, "job"> {
  try {
    return { judgement: judge() };
  } catch (thrown) {
    const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
    return {
      error: { ...(thrown instanceof ConformantError && { code: thrown.code }), name, message, stack },
    };
  }
}

/** The error that was thrown, for who asked. */
export function toError({ code, name, message, stack }: JudgingError): Error {
  if (code !== undefined) return new ConformantError(code, message);
  return Object.assign(new Error(message), { name, stack });
}
