import { FRAME } from "./texts.ts";

/** Says why a worker has failed: what it threw and nobody caught, or that its program could not be loaded, of which browsers say nothing. */
export function watchWorker(worker: Worker, onFailure: (why: string) => void): void {
  worker.addEventListener("error", (event) => onFailure(event.message || FRAME.notLoaded));
}
