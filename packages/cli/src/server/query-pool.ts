import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { ApiError, retryLater } from "./api-error.ts";
import type { Pace } from "./estimate-cost.ts";
import type { QueryReply, QueryTask, QueryThreadData } from "./query-worker.ts";
import { clientLeft } from "./read-body.ts";

/** The time limit of a request, and a signal that its answer is no longer needed. */
export interface Errand {
  readonly pace: Exclude<Pace, "now">;
  readonly signal: AbortSignal;
}

/** The state of the pool. */
export interface PoolState {
  readonly threads: number;
  readonly busy: number;
  readonly waiting: Readonly<Record<Errand["pace"], number>>;
  /** How long the oldest job has been waiting, in milliseconds. */
  readonly oldest: number;
  /** Threads that were terminated because their job took too long or was no longer needed. */
  readonly replaced: number;
}

/** Threads that answer requests; a thread whose answer is no longer needed is terminated and replaced. */
export interface QueryPool {
  readonly answer: (task: QueryTask, errand: Errand) => Promise<Uint8Array>;
  readonly state: () => PoolState;
  readonly close: () => Promise<void>;
}

interface ThreadOptions extends Omit<QueryThreadData, "inBackground"> {
  /** Heap of a thread in MiB. */
  readonly memory: number;
  /** Called when an idle thread fails. */
  readonly onFault: (error: unknown) => void;
}

export interface PoolOptions extends ThreadOptions {
  readonly threads: number;
  /** The time limit in milliseconds, waiting included. */
  readonly timeLimit: number;
}

interface Job extends Errand {
  readonly task: QueryTask;
  readonly since: number;
  readonly resolve: (body: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  /** Terminates the thread that runs the job. */
  readonly end: AbortController;
  readonly onLeave: () => void;
  /** Settles at the time limit, or when the thread is terminated. */
  timer: NodeJS.Timeout;
}

/** Milliseconds that an abandoned long job may still run: about what it takes to start another thread. */
const GRACE_MS = 300;

/**
 * Jobs wait in two queues: short ones and those of unknown cost. Half of several threads take short jobs only, so that these continue
 * whatever the long ones do. The others take long jobs only, because they run at a lower priority.
 */
export function createQueryPool(options: PoolOptions): QueryPool {
  const { threads: count, timeLimit } = options;
  const threads = Array.from({ length: count }, (_, t) => {
    const paces: QueryThread["paces"] = count === 1 ? ["short", "long"] : [t % 2 === 0 ? "short" : "long"];
    return new QueryThread(options, paces);
  });
  const waiting = { short: [] as Job[], long: [] as Job[] };
  /** A short job ends soon; replacing its thread would delay others. */
  const grace = { short: timeLimit, long: GRACE_MS };

  const next = (): void => {
    for (const thread of threads) {
      if (thread.busy) continue;
      const pace = thread.paces.find((one) => waiting[one].length > 0);
      const job = pace && waiting[pace].shift();
      if (job) void run(job, thread);
    }
  };
  const run = async (job: Job, thread: QueryThread): Promise<void> => {
    try {
      const reply = await thread.run(job.task, job.pace, job.end.signal);
      if (reply instanceof Uint8Array) job.resolve(reply);
      else job.reject(new ApiError(reply.status, reply.code, reply.message));
    } catch (thrown) {
      job.reject(isOutOfMemory(thrown) ? tooMuchMemory() : thrown);
    }
    release(job);
    await thread.ready();
    next();
  };
  const giveUp = (job: Job, error: ApiError, graceMs: number): void => {
    release(job);
    job.reject(error);
    const at = waiting[job.pace].indexOf(job);
    if (at >= 0) waiting[job.pace].splice(at, 1);
    else job.timer = setTimeout(() => job.end.abort(), graceMs);
  };

  return {
    answer: (task, errand) =>
      new Promise((resolve, reject) => {
        const job: Job = {
          ...errand,
          task,
          since: performance.now(),
          resolve,
          reject,
          end: new AbortController(),
          timer: setTimeout(() => giveUp(job, tooLong(timeLimit), GRACE_MS), timeLimit),
          onLeave: () => giveUp(job, clientLeft(), grace[job.pace]),
        };
        errand.signal.addEventListener("abort", job.onLeave);
        waiting[job.pace].push(job);
        if (errand.signal.aborted) job.onLeave();
        next();
      }),
    state: () => ({
      threads: count,
      busy: threads.filter(({ busy }) => busy).length,
      waiting: { short: waiting.short.length, long: waiting.long.length },
      oldest: oldest([...waiting.short.slice(0, 1), ...waiting.long.slice(0, 1)]),
      replaced: threads.reduce((sum, { replaced }) => sum + replaced, 0),
    }),
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}

function release({ timer, signal, onLeave }: Job): void {
  clearTimeout(timer);
  signal.removeEventListener("abort", onLeave);
}

function oldest(jobs: readonly Job[]): number {
  const now = performance.now();
  return Math.max(0, ...jobs.map(({ since }) => now - since));
}

function isOutOfMemory(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function tooMuchMemory(): ApiError {
  const message = "the answer takes more memory than a thread has; send fewer rows, or JSON lines";
  return new ApiError(413, "memory-limit", message);
}

function tooLong(timeLimit: number): ApiError {
  const message = `the answer took longer than the time limit of ${timeLimit / 1000} s`;
  return new ApiError(503, "time-limit", message, retryLater);
}

/**
 * A thread for one job at a time. Piscina starts it, passes jobs to it, terminates it where a job is no longer needed, and starts it again.
 * There is one Piscina per thread, because within one it is unknown which thread takes which job.
 */
class QueryThread {
  readonly #piscina: Piscina;
  readonly #onFault: ThreadOptions["onFault"];
  #paces: readonly Exclude<Pace, "now">[];
  #state: "free" | "busy" | "closed" = "free";
  /** Settles when the thread has loaded its modules; terminating one before that ends the whole process (Node 20). */
  #awake: Promise<void>;
  #replaced = 0;

  /** @param paces the paces of the jobs that it takes */
  constructor(options: ThreadOptions, paces: readonly Exclude<Pace, "now">[]) {
    const { modelText, calibrationText, countsMemory, longestAnswer, memory, onFault } = options;
    this.#paces = paces;
    this.#onFault = onFault;
    this.#piscina = new Piscina({
      filename: fileURLToPath(new URL("./query-worker.js", import.meta.url)),
      name: "answerTask",
      minThreads: 1,
      maxThreads: 1,
      workerData: {
        modelText,
        calibrationText,
        countsMemory,
        longestAnswer,
        inBackground: !paces.includes("short"),
      } satisfies QueryThreadData,
      resourceLimits: { maxOldGenerationSizeMb: memory },
      recordTiming: false,
    }).on("error", onFault);
    this.#awake = this.#wake();
  }

  /** The paces of the jobs that it takes, the one it served last at the end, so that none starves. */
  get paces(): readonly Exclude<Pace, "now">[] {
    return this.#paces;
  }

  /** Whether it cannot take a job now. */
  get busy(): boolean {
    return this.#state !== "free";
  }

  /** How often it was terminated because its job took too long or was no longer needed. */
  get replaced(): number {
    return this.#replaced;
  }

  /** Runs a task, and is terminated at the signal. It is busy until it is {@link ready}. */
  async run(task: QueryTask, pace: Exclude<Pace, "now">, signal: AbortSignal): Promise<QueryReply> {
    this.#state = "busy";
    this.#paces = [...this.#paces.filter((one) => one !== pace), pace];
    try {
      const transferList = [task.bytes.buffer as ArrayBuffer];
      return (await this.#piscina.run(task, { signal, transferList })) as QueryReply;
    } catch (thrown) {
      this.#awake = this.#wake();
      if (signal.aborted) this.#replaced++;
      throw thrown;
    }
  }

  /** Frees it for the next job once it has started, so that nobody waits for a starting thread. */
  async ready(): Promise<void> {
    await this.#awake;
    if (this.#state !== "closed") this.#state = "free";
  }

  async close(): Promise<void> {
    this.#state = "closed";
    await this.#awake;
    await this.#piscina.destroy();
  }

  #wake(): Promise<void> {
    return this.#piscina.run(undefined, { name: "wake" }).catch(this.#onFault) as Promise<void>;
  }
}
