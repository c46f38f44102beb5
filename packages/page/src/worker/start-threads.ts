import { createThreads, type Threads } from "conformant/threads";
import { watchWorker } from "../frame/watch-worker.ts";

/** Workers that share the library's work, until they are ended. */
export interface StartedThreads {
  readonly threads: Threads;
  readonly end: () => void;
}

/** Workers at most: beyond that there are hardly candidates for them, and each takes memory. */
const MOST_WORKERS = 8;
/** Cells of a table up to which it takes longer to start workers, each of which has to get warm, than to compare its candidates. */
const FEW_CELLS = 200_000;

/**
 * Workers that share a fit on all cores, for a table of so many cells. None where they do not pay, or where the page is not isolated
 * from other origins: then browsers let no threads share memory.
 */
export async function startThreads(cells: number): Promise<StartedThreads | undefined> {
  const count = Math.min(MOST_WORKERS, navigator.hardwareConcurrency) - 1;
  if (count < 1 || cells <= FEW_CELLS || !crossOriginIsolated) return undefined;
  const workers = await Promise.all(Array.from({ length: count }, startWorker));
  return {
    threads: createThreads(workers),
    end: () => {
      for (const worker of workers) worker.terminate();
    },
  };
}

/**
 * Who waits later hears no events, so that a worker has to be there before. It is when it has sent a message: until then browsers keep
 * messages back, in the thread that is going to wait.
 */
function startWorker(): Promise<Worker> {
  const worker = new Worker(new URL("./help-worker.ts", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", () => resolve(worker), { once: true });
    watchWorker(worker, (why) => reject(new Error(why)));
  });
}
