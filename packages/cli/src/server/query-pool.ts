import { ApiError, retryLater } from "./api-error.ts";
import { clientLeft } from "./body-limits.ts";
import type { Pace } from "./estimate-cost.ts";
import { FairQueue } from "./fair-queue.ts";
import { QueryThread, type ThreadOptions } from "./query-thread.ts";
import type { QueryTask } from "./query-worker.ts";

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

export interface PoolOptions extends ThreadOptions {
  readonly threads: number;
  /** Milliseconds from a question to its answer, waiting included. */
  readonly timeLimit: number;
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

/** Milliseconds for a long job that nobody wants any more to end by itself: about what it takes to start another thread. */
const GRACE_MS = 300;

/**
 * Jobs wait in two queues, short ones and those of which nobody knows how long they take, and clients take turns in both.
 * Half of several threads take short ones only, so that these go on whatever the long ones do, and the others long ones
 * only, as the system gives them less of the processor.
 */
export function createQueryPool(options: PoolOptions): QueryPool {
  const { threads: count, timeLimit } = options;
  const threads = Array.from({ length: count }, (_, t) => {
    const paces: QueryThread["paces"] = count === 1 ? ["short", "long"] : [t % 2 === 0 ? "short" : "long"];
    return new QueryThread(options, paces);
  });
  const waiting = { short: new FairQueue<Job>(), long: new FairQueue<Job>() };
  /** A short job ends soon, and the time it takes to start a thread would be somebody else's. */
  const grace = { short: timeLimit, long: GRACE_MS };

  const next = (): void => {
    for (const thread of threads) {
      if (thread.busy) continue;
      const pace = thread.paces.find((one) => waiting[one].size > 0);
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
    if (waiting[job.pace].remove(job.client, job)) return;
    job.timer = setTimeout(() => job.end.abort(), graceMs);
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
        waiting[job.pace].push(job.client, job);
        if (errand.signal.aborted) job.onLeave();
        next();
      }),
    state: () => ({
      threads: count,
      busy: threads.filter(({ busy }) => busy).length,
      waiting: { short: waiting.short.size, long: waiting.long.size },
      oldest: oldest([...waiting.short.heads(), ...waiting.long.heads()]),
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
