import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { createThreads, type ThreadPort, type Threads } from "conformant/threads";

/** What a thread is told when it starts. */
export interface ThreadStart {
  /** Whether it computes with the elementary functions that are the same in all engines, as `fit` does. */
  readonly portable: boolean;
}

/**
 * Threads that share the library's work with the one that asks; a command runs in a thread of its own, which may wait for them. Each is
 * started when there is something to do.
 */
export class WorkThreads {
  readonly threads: Threads;
  readonly #workers: Worker[] = [];

  /** @param count threads that work at the same time, the asking one among them; as many as there are cores, unless given */
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
