import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { ApiError, retryLater } from "../api-error.ts";
import { FairQueue } from "../fair-queue.ts";
import { clientLeft } from "../requests/body-limits.ts";
import type { Pace } from "./estimate-cost.ts";
import type { QueryReply, QueryTask, QueryThreadData } from "./query-worker.ts";

/** For whom something is answered, how long it may take, and when it is no longer wanted. */
export interface Errand {
  readonly client: string;
  readonly pace: Exclude<Pace, "now">;
  readonly signal: AbortSignal;
}

/** How the pool stands. */
export interface PoolState {
  readonly threads: number;
  readonly busy: number;
  readonly waiting: Readonly<Record<Errand["pace"], number>>;
  /** Milliseconds that the oldest job has been waiting. */
  readonly oldest: number;
  /** Threads that were ended because their work took too long or nobody wanted it any more. */
  readonly replaced: number;
}

/** Threads that answer requests; one whose answer is no longer wanted is ended and replaced. */
export interface QueryPool {
  readonly answer: (task: QueryTask, errand: Errand) => Promise<Uint8Array>;
  readonly state: () => PoolState;
  readonly close: () => Promise<void>;
}

export interface PoolOptions extends QueryThreadData {
  readonly threads: number;
  /** Milliseconds from a question to its answer, waiting included. */
  readonly timeLimit: number;
  /** MiB of heap of a thread. */
  readonly memory: number;
  /** Told of a thread that failed while it had nothing to do. */
  readonly onFault: (error: unknown) => void;
}

interface Job extends Errand {
  readonly task: QueryTask;
  readonly since: number;
  readonly resolve: (body: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  /** Ends the thread that the job is running on. */
  readonly end: AbortController;
  readonly onLeave: () => void;
  /** Until it is late, or until its thread is ended. */
  timer: NodeJS.Timeout;
}

/** Milliseconds for a job that nobody wants any more to end by itself: about what it takes to start another thread. */
const GRACE_MS = 300;

/**
 * Jobs wait in two queues, short ones and those of which nobody knows how long they take, and clients take turns in both.
 * Of several threads one never takes a long job, so that short ones go on whatever the long ones do. Piscina keeps the
 * threads, hands them jobs, and ends and replaces them.
 */
export function createQueryPool(options: PoolOptions): QueryPool {
  const { threads, timeLimit, memory, modelText, longestAnswer, onFault } = options;
  const pool = new Piscina({
    filename: fileURLToPath(new URL("./query-worker.js", import.meta.url)),
    name: "answerTask",
    minThreads: threads,
    maxThreads: threads,
    workerData: { modelText, longestAnswer } satisfies QueryThreadData,
    resourceLimits: { maxOldGenerationSizeMb: memory },
    recordTiming: false,
  }).on("error", onFault);
  const waiting = { short: new FairQueue<Job>(), long: new FairQueue<Job>() };
  const running = { short: 0, long: 0 };
  const mostLong = Math.max(1, threads - 1);
  let [last, replaced]: [Errand["pace"], number] = ["long", 0];

  /** The two queues take turns as well, so that neither starves. */
  const takeNext = (): Job | undefined => {
    for (const pace of last === "long" ? (["short", "long"] as const) : (["long", "short"] as const)) {
      if (pace === "long" && running.long >= mostLong) continue;
      const job = waiting[pace].shift();
      if (job) return job;
    }
    return undefined;
  };
  const next = (): void => {
    while (running.short + running.long < threads) {
      const job = takeNext();
      if (!job) return;
      last = job.pace;
      void run(job);
    }
  };
  const run = async (job: Job): Promise<void> => {
    running[job.pace]++;
    try {
      const transferList = [job.task.bytes.buffer as ArrayBuffer];
      const reply = (await pool.run(job.task, { signal: job.end.signal, transferList })) as QueryReply;
      if (reply instanceof Uint8Array) job.resolve(reply);
      else job.reject(new ApiError(reply.status, reply.code, reply.message));
    } catch (thrown) {
      job.reject(isOutOfMemory(thrown) ? tooMuchMemory() : thrown);
    } finally {
      running[job.pace]--;
      release(job);
      next();
    }
  };
  const giveUp = (job: Job, error: ApiError): void => {
    release(job);
    job.reject(error);
    if (waiting[job.pace].remove(job.client, job)) return;
    job.timer = setTimeout(() => {
      replaced++;
      job.end.abort();
    }, GRACE_MS);
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
          timer: setTimeout(() => giveUp(job, tooLong(timeLimit)), timeLimit),
          onLeave: () => giveUp(job, clientLeft()),
        };
        errand.signal.addEventListener("abort", job.onLeave);
        waiting[job.pace].push(job.client, job);
        if (errand.signal.aborted) job.onLeave();
        next();
      }),
    state: () => ({
      threads,
      busy: running.short + running.long,
      waiting: { short: waiting.short.size, long: waiting.long.size },
      oldest: oldest([...waiting.short.heads(), ...waiting.long.heads()]),
      replaced,
    }),
    close: () => pool.destroy(),
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
