import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/** A worker that helps with the library's work, once it has read its program. */
export function startWorker(): Worker {
  return new Worker(createRequire(import.meta.url).resolve("conformant/thread"));
}
