import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { createThreads, type ThreadPort, type Threads } from "conformant/threads";

/** What a thread receives when it starts. */
export interface ThreadStart {
  /** Whether it uses the portable elementary functions, as `fit` does. */
  readonly portable: boolean;
}

/** Threads that share the library's work with the calling thread, which is the command's own and may block. They are started on demand. */
export class WorkThreads {
  readonly threads: Threads;
  readonly #workers: Worker[] = [];

  /** @param count the number of threads, including the calling one (default: all cores) */
  constructor(count = availableParallelism(), start: ThreadStart = { portable: false }) {
    this.threads = createThreads(Array.from({ length: count - 1 }, () => this.#port(start)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.terminate()));
  }

  #port(start: ThreadStart): ThreadPort {
    let worker: Worker | undefined;
    return {
      postMessage: (message) => {
        worker ??= this.#start(start);
        worker.postMessage(message);
      },
    };
  }

  #start(start: ThreadStart): Worker {
    const worker = new Worker(new URL("./work-thread.js", import.meta.url), { workerData: start });
    worker.unref();
    worker.on("error", () => undefined); // what it leaves undone is done by the one that asked
    this.#workers.push(worker);
    return worker;
  }
}
