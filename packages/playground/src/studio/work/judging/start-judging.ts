import {
  FEW_CELLS,
  type JudgingAnswer,
  type JudgingState,
  type JudgingThread,
  JudgingThreads,
  TableError,
} from "conformant-workbench";
import { watchWorker } from "../../../frame/watch-worker.ts";
import { OF_TABLES } from "../../texts.ts";
import type { JudgingTold } from "./judging-worker.ts";
import { SharedValue } from "./shared-value.ts";

/** Workers that judge, until they are ended. */
export interface JudgingWorkers extends Pick<JudgingThreads, "judging"> {
  readonly end: () => void;
}

/** Workers at most: beyond that there are hardly candidates for them, and each takes memory. */
const MOST_WORKERS = 8;

/**
 * Workers that compare candidates on all cores, for a table of so many cells. None where they do not pay, or where the page is not
 * isolated from other origins: then browsers let no threads share memory, and who waits for an answer could not get it.
 */
export async function startJudging(cells: number): Promise<JudgingWorkers | undefined> {
  const count = Math.min(MOST_WORKERS, navigator.hardwareConcurrency);
  if (count < 2 || cells <= FEW_CELLS || !crossOriginIsolated) return undefined;
  const workers = await Promise.all(Array.from({ length: count }, startWorker));
  const idle = [...workers];
  const { judging } = new JudgingThreads({
    count,
    few: FEW_CELLS,
    start: (state) => threadOf(idle.pop() as StartedWorker, state),
    lost: () => new TableError("unreadable-file", OF_TABLES.noMemory, { hint: OF_TABLES.tooLarge }),
  });
  return {
    judging,
    end: () => {
      for (const { worker } of workers) worker.terminate();
    },
  };
}

/** A worker that has answered, and where its answers will be. */
interface StartedWorker {
  readonly worker: Worker;
  readonly answers: SharedValue;
}

/**
 * Who waits later hears no events, so that a worker has to be there before. It is when it has answered a message: until then browsers
 * keep messages back, in the thread that is going to wait.
 */
function startWorker(): Promise<StartedWorker> {
  const worker = new Worker(new URL("./judging-worker.ts", import.meta.url), { type: "module" });
  const answers = new SharedValue();
  worker.postMessage({ answers: answers.buffer } satisfies JudgingTold);
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", () => resolve({ worker, answers }), { once: true });
    watchWorker(worker, (why) => reject(new Error(why)));
  });
}

function threadOf({ worker, answers }: StartedWorker, state: JudgingState): JudgingThread {
  const tell = (told: JudgingTold): void => worker.postMessage(told);
  tell(state);
  return {
    post: tell,
    receive: () => answers.take() as JudgingAnswer | undefined,
    end: () => worker.terminate(),
  };
}
