import { Worker } from "node:worker_threads";
import type { Route } from "./answer-request.ts";
import { ApiError } from "./api-error.ts";
import type { WorkerReply, WorkerTask } from "./query-worker.ts";

/** Threads that answer requests; one that takes too long is ended and replaced. */
export interface QueryPool {
  readonly answer: (route: Route, text: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

interface Job extends WorkerTask {
  readonly deadline: number;
  readonly resolve: (body: string) => void;
  readonly reject: (error: Error) => void;
}

/** Threads start when they are first needed and share no memory with the server; `modelText` is the model file. */
export function createQueryPool(modelText: string, threads: number, timeLimit: number): QueryPool {
  /** What each thread is working on. */
  const busy = new Map<Worker, Job & { timer: NodeJS.Timeout }>();
  const idle: Worker[] = [];
  const waiting: Job[] = [];

  const next = (): void => {
    while (waiting.length > 0 && (idle.length > 0 || busy.size < threads)) {
      const job = waiting.shift() as Job;
      if (job.deadline <= Date.now()) job.reject(tooLong(timeLimit));
      else run(idle.pop() ?? start(), job);
    }
  };
  const start = (): Worker => {
    const worker = new Worker(new URL("./query-worker.js", import.meta.url), { workerData: modelText });
    worker.on("message", (reply: WorkerReply) => {
      const job = release(worker);
      idle.push(worker);
      if (job) settle(job, reply);
      next();
    });
    worker.on("error", (error) => end(worker, error));
    return worker;
  };
  const run = (worker: Worker, job: Job): void => {
    const timer = setTimeout(() => replace(worker), Math.max(1, job.deadline - Date.now()));
    busy.set(worker, { ...job, timer });
    worker.postMessage({ route: job.route, text: job.text } satisfies WorkerTask);
  };
  /** Ends a thread that takes too long; its successor gets ready at once, so that the next job need not wait for that. */
  const replace = (worker: Worker): void => {
    idle.push(start());
    end(worker, tooLong(timeLimit));
  };
  const release = (worker: Worker): Job | undefined => {
    const job = busy.get(worker);
    clearTimeout(job?.timer);
    busy.delete(worker);
    return job;
  };
  const end = (worker: Worker, error: Error): void => {
    release(worker)?.reject(error);
    if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    void worker.terminate();
    next();
  };
  return {
    answer: (route, text) =>
      new Promise((resolve, reject) => {
        waiting.push({ route, text, deadline: Date.now() + timeLimit, resolve, reject });
        next();
      }),
    close: async () => {
      await Promise.all([...busy.keys(), ...idle].map((worker) => worker.terminate()));
    },
  };
}

function settle({ resolve, reject }: Job, reply: WorkerReply): void {
  if ("body" in reply) resolve(reply.body);
  else if ("refusal" in reply) {
    reject(new ApiError(reply.refusal.status, reply.refusal.code, reply.refusal.message));
  } else reject(new Error(reply.fault));
}

function tooLong(timeLimit: number): ApiError {
  const message = `the answer took longer than the time limit of ${timeLimit / 1000} s`;
  return new ApiError(503, "time-limit", message, { "Retry-After": "1" });
}
