import { availableParallelism } from "node:os";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { ConformantError, type Table } from "conformant";
import { type Judgement, type JudgeTask, type JudgeTrials, judgeTrial, type Trial } from "conformant/remote";
import { CliError } from "../../errors.ts";
import { STEPS, UNWANTED } from "./judging-state.ts";
import type { JudgingAnswer, JudgingJob, JudgingStart } from "./judging-worker.ts";

/** Cells of a table up to which it takes longer to start threads, each of which has to get warm, than to judge its candidates. */
const FEW_CELLS = 200_000;
/** Milliseconds between two looks at how the work stands. */
const LOOK_MS = 100;
/** Milliseconds without a step after which a thread counts as ended: who waits hears no events, and a thread without memory tells nobody. */
const SILENCE_MS = 600_000;

/** A thread, and what it is doing. */
interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** The last job that is not wanted any more, and how many steps the thread has made. */
  readonly state: Int32Array<SharedArrayBuffer>;
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
 * without hearing events: a command runs in a thread of its own, and the main thread ends all of them at a signal.
 */
export class JudgingThreads {
  readonly #count: number;
  /** Cells of a table up to which nobody is asked. */
  readonly #few: number;
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  #threads: Thread[] = [];
  #jobs: Job[] = [];
  #last = 0;
  #tasks = 0;
  #task: SharedTask | undefined;

  /** @param count threads that work at the same time, started when they are needed first; as many as there are cores where they pay, unless given */
  constructor(count: number | undefined) {
    this.#count = count ?? availableParallelism();
    this.#few = count === undefined ? FEW_CELLS : 0;
  }

  /** For the option `judging`; undefined where one thread is enough, for that is who asks. */
  get judging(): JudgeTrials | undefined {
    return this.#count > 1 ? (task, trials, step) => this.#judge(task, trials, step) : undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #judge(
    task: JudgeTask,
    { trials, likely }: Parameters<JudgeTrials>[1],
    step: (done: number) => void,
  ): readonly Judgement[] {
    const { rows, table } = task.data;
    if (rows.length * table.columns.length <= this.#few) return judgeHere(task, trials, step);
    this.#begin(task);
    const wanted = [...trials, ...likely].map((trial) => this.#jobOf(trial));
    this.#keep(wanted);
    const asked = wanted.slice(0, trials.length);
    for (;;) {
      const seen = Atomics.load(this.#answered, 0);
      this.#receive();
      const error = asked.find(({ answer }) => answer?.error)?.answer?.error;
      if (error) throw error instanceof Error ? error : new ConformantError(error.code, error.message);
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
    if (this.#threads.length === 0) this.#threads = Array.from({ length: this.#count }, () => this.#start());
    if (this.#task?.given === task) return;
    this.#keep([]);
    this.#task = { given: task, shared: shareTask(task), number: this.#tasks++ };
  }

  #start(): Thread {
    const { port1: port, port2 } = new MessageChannel();
    const state = new Int32Array(new SharedArrayBuffer(8));
    const start: JudgingStart = { port: port2, answered: this.#answered, state };
    const worker = new Worker(new URL("./judging-worker.js", import.meta.url), {
      workerData: start,
      transferList: [port2],
    });
    port.unref();
    worker.unref();
    return { worker, port, state, steps: 0, heard: 0, task: -1, job: undefined };
  }

  #jobOf(trial: Trial): Job {
    const text = JSON.stringify(trial);
    const known = this.#jobs.find((job) => JSON.stringify(job.trial) === text);
    return known ?? { job: ++this.#last, trial };
  }

  /** Forgets all jobs but these, and ends the work on what is not among them. */
  #keep(jobs: readonly Job[]): void {
    this.#jobs = [...jobs];
    for (const { job, state } of this.#threads)
      if (job !== undefined && !jobs.some((one) => one.job === job)) Atomics.store(state, UNWANTED, job);
  }

  /** Throws where a thread at work has made no step for long. */
  #listen(): void {
    const now = performance.now();
    for (const thread of this.#threads.filter(({ job }) => job !== undefined)) {
      const steps = Atomics.load(thread.state, STEPS);
      if (steps !== thread.steps) [thread.steps, thread.heard] = [steps, now];
      else if (now - thread.heard > SILENCE_MS)
        throw new CliError("out-of-memory", "a thread that compares models has ended without a word", {
          hint: "use fewer --threads, or --components N, which compares nothing",
        });
    }
  }

  #receive(): void {
    for (const thread of this.#threads) {
      const answer = receiveMessageOnPort(thread.port)?.message as JudgingAnswer | undefined;
      if (!answer) continue;
      thread.job = undefined;
      const job = this.#jobs.find((one) => one.job === answer.job);
      if (job) job.answer = answer;
    }
  }

  /** Gives the first jobs that nobody is at to threads that have none. */
  #handOut(jobs: readonly Job[]): void {
    const { number, shared } = this.#task as SharedTask;
    for (const thread of this.#threads) {
      if (thread.job !== undefined) continue;
      const next = jobs.find((one) => !one.answer && !this.#threads.some(({ job }) => job === one.job));
      if (!next) return;
      const message: JudgingJob = {
        job: next.job,
        task: number,
        ...(thread.task !== number && { given: shared }),
        trial: next.trial,
      };
      thread.port.postMessage(message);
      [thread.job, thread.task, thread.heard] = [next.job, number, performance.now()];
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
