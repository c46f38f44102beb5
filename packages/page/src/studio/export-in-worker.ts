import { watchWorker } from "../frame/watch-worker.ts";
import type { SaveReply, SaveRequest } from "../worker/save-messages.ts";

/** Has a worker write a model for another system; what keeps it from being written is thrown. */
export function exportInWorker(asked: SaveRequest): Promise<Blob> {
  return new Promise<Blob>((resolve, reject) => {
    const worker = new Worker(new URL("../worker/save-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<SaveReply>) => {
      worker.terminate();
      if ("problem" in data) reject(new Error(data.problem));
      else resolve(new Blob([data.content]));
    });
    watchWorker(worker, (why) => {
      worker.terminate();
      reject(new Error(why));
    });
    worker.postMessage(asked);
  });
}
