import type { Table } from "conformant";
import { type Judgement, type JudgeTask, type JudgeTrials, judgeTrial, type Trial } from "conformant/remote";
import {
  type JudgingAnswer,
  type JudgingJob,
  type JudgingState,
  STEPS,
  toError,
  UNWANTED,
} from "./judging-worker.ts";

/** A thread as those who wait without hearing events see it. */
export interface JudgingThread {
  readonly post: (job: JudgingJob) => void;
  /** The answer to the last job, once, when it has come. */
  readonly receive: () => JudgingAnswer | undefined;
  readonly end: () => unknown;
}

/** Where threads come from. */
export interface JudgingHost {
  /** Threads that work at the same time, started when they are needed first. */
  readonly count: number;
  /** Cells of a table up to which nobody is asked. */
  readonly few: number;
  readonly start: (state: JudgingState) => JudgingThread;
  /** What is said of a thread that has ended without a word. */
  readonly lost: () => Error;
}

/** Cells of a table up to which it takes longer to start threads, each of which has to get warm, than to judge its candidates. */
export const FEW_CELLS = 200_000;
/** Milliseconds between two looks at how the work stands. */
const LOOK_MS = 100;
/** Milliseconds without a step after which a thread counts as ended: who waits hears no events, and a thread without memory tells nobody. */
const SILENCE_MS = 600_000;

/** A thread, and what it is doing. */
interface Worker {
  readonly thread: JudgingThread;
  /** The last job that is not wanted any more, and how many steps the thread has made. */
  readonly state: JudgingState["own"];
  /** The steps that were seen last, and when they were new. */
  steps: number;
  heard: number;
  /** The last task it was given. */
  task: number;
  /** The job it is at, undefined while it has none. */
  job: number | undefined;
}

/** A task and its copy in shared memory. */
interface SharedTask {
  readonly given: JudgeTask;
  readonly shared: JudgeTask;
  readonly number: number;
}

/** A trial that is given to a thread, and what it came to. */
interface Job {
  readonly job: number;
  readonly trial: Trial;
  answer?: JudgingAnswer;
}

/**
 * Threads that judge the candidates of a choice. The table is in shared memory, of which there is one copy. Who waits for them waits
 * without hearing events: it runs in a thread of its own, and the main thread ends all of them.
 */
export class JudgingThreads {
  readonly #host: JudgingHost;
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  #workers: Worker[] = [];
  #jobs: Job[] = [];
  #last = 0;
  #tasks = 0;
  #task: SharedTask | undefined;

  constructor(host: JudgingHost) {
    this.#host = host;
  }

  /** For the option `judging`; undefined where one thread is enough, for that is who asks. */
  get judging(): JudgeTrials | undefined {
    return this.#host.count > 1 ? (task, trials, step) => this.#judge(task, trials, step) : undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map(({ thread }) => thread.end()));
  }

  #judge(
    task: JudgeTask,
    { trials, likely }: Parameters<JudgeTrials>[1],
    step: (done: number) => void,
  ): readonly Judgement[] {
    const { rows, table } = task.data;
    if (rows.length * table.columns.length <= this.#host.few) return judgeHere(task, trials, step);
    this.#begin(task);
    const wanted = [...trials, ...likely].map((trial) => this.#jobOf(trial));
    this.#keep(wanted);
    const asked = wanted.slice(0, trials.length);
    for (;;) {
      const seen = Atomics.load(this.#answered, 0);
      this.#receive();
      const error = asked.find(({ answer }) => answer?.error)?.answer?.error;
      if (error) throw toError(error);
      this.#listen();
      this.#handOut(wanted);
      const done = asked.filter(({ answer }) => answer).length;
      step(done);
      if (done === asked.length) return asked.map(({ answer }) => answer?.judgement as Judgement);
      Atomics.wait(this.#answered, 0, seen, LOOK_MS);
    }
  }

  /** Starts the threads where there are none, and puts a task that is new into shared memory. */
  #begin(task: JudgeTask): void {
    if (this.#workers.length === 0)
      this.#workers = Array.from({ length: this.#host.count }, () => this.#start());
    if (this.#task?.given === task) return;
    this.#keep([]);
    this.#task = { given: task, shared: shareTask(task), number: this.#tasks++ };
  }

  #start(): Worker {
    const state = new Int32Array(new SharedArrayBuffer(8));
    const thread = this.#host.start({ answered: this.#answered, own: state });
    return { thread, state, steps: 0, heard: 0, task: -1, job: undefined };
  }

  #jobOf(trial: Trial): Job {
    const text = JSON.stringify(trial);
    const known = this.#jobs.find((job) => JSON.stringify(job.trial) === text);
    return known ?? { job: ++this.#last, trial };
  }

  /** Forgets all jobs but these, and ends the work on what is not among them. */
  #keep(jobs: readonly Job[]): void {
    this.#jobs = [...jobs];
    for (const { job, state } of this.#workers)
      if (job !== undefined && !jobs.some((one) => one.job === job)) Atomics.store(state, UNWANTED, job);
  }

  /** Throws where a thread at work has made no step for long. */
  #listen(): void {
    const now = Date.now();
    for (const worker of this.#workers.filter(({ job }) => job !== undefined)) {
      const steps = Atomics.load(worker.state, STEPS);
      if (steps !== worker.steps) [worker.steps, worker.heard] = [steps, now];
      else if (now - worker.heard > SILENCE_MS) throw this.#host.lost();
    }
  }

  #receive(): void {
    for (const worker of this.#workers) {
      const answer = worker.thread.receive();
      if (!answer) continue;
      worker.job = undefined;
      const job = this.#jobs.find((one) => one.job === answer.job);
      if (job) job.answer = answer;
    }
  }

  /** Gives the first jobs that nobody is at to threads that have none. */
  #handOut(jobs: readonly Job[]): void {
    const { number, shared } = this.#task as SharedTask;
    for (const worker of this.#workers) {
      if (worker.job !== undefined) continue;
      const next = jobs.find((one) => !one.answer && !this.#workers.some(({ job }) => job === one.job));
      if (!next) return;
      const message: JudgingJob = {
        job: next.job,
        task: number,
        ...(worker.task !== number && { given: shared }),
        trial: next.trial,
      };
      worker.thread.post(message);
      [worker.job, worker.task, worker.heard] = [next.job, number, Date.now()];
    }
  }
}

/** Judges without threads. */
function judgeHere(
  task: JudgeTask,
  trials: readonly Trial[],
  step: (done: number) => void,
): readonly Judgement[] {
  return trials.map((trial, done) => {
    step(done);
    return judgeTrial(task, trial);
  });
}

/** The task with its rows in memory that all threads see: those that are there already stay where they are. */
function shareTask(task: JudgeTask): JudgeTask {
  const { table, rows, weights } = task.data;
  return {
    ...task,
    data: {
      table: { ...table, columns: table.columns.map(shareCells) },
      rows: shareCells(rows),
      weights: shareCells(weights),
    },
  };
}

function shareCells<Cells extends Table["columns"][number]>(cells: Cells): Cells {
  if (cells.buffer instanceof SharedArrayBuffer) return cells;
  const Kind = cells.constructor as new (buffer: SharedArrayBuffer) => Cells;
  const shared = new Kind(new SharedArrayBuffer(cells.byteLength));
  shared.set(cells as never);
  return shared;
}
