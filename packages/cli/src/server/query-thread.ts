import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { Pace } from "./estimate-cost.ts";
import type { QueryReply, QueryTask, QueryThreadData } from "./query-worker.ts";

export interface ThreadOptions extends Omit<QueryThreadData, "inBackground"> {
  /** MiB of heap of a thread. */
  readonly memory: number;
  /** Told of a thread that failed while it had nothing to do. */
  readonly onFault: (error: unknown) => void;
}

/**
 * A thread for one job at a time. Piscina starts it, hands it jobs, ends it where a job is not wanted any more, and starts
 * it again. There is one Piscina for each thread, as within one nobody could say which thread takes what.
 */
export class QueryThread {
  readonly #piscina: Piscina;
  readonly #onFault: ThreadOptions["onFault"];
  #paces: readonly Exclude<Pace, "now">[];
  #state: "free" | "busy" | "closed" = "free";
  /** Settled once what the thread loads is loaded; to end one before that ends the whole process (Node 20). */
  #awake: Promise<void>;
  #replaced = 0;

  /** @param paces of the jobs that it takes */
  constructor(options: ThreadOptions, paces: readonly Exclude<Pace, "now">[]) {
    const { modelText, calibrationText, longestAnswer, memory, onFault } = options;
    this.#paces = paces;
    this.#onFault = onFault;
    this.#piscina = new Piscina({
      filename: fileURLToPath(new URL("./query-worker.js", import.meta.url)),
      name: "answerTask",
      minThreads: 1,
      maxThreads: 1,
      workerData: {
        modelText,
        calibrationText,
        longestAnswer,
        inBackground: !paces.includes("short"),
      } satisfies QueryThreadData,
      resourceLimits: { maxOldGenerationSizeMb: memory },
      recordTiming: false,
    }).on("error", onFault);
    this.#awake = this.#wake();
  }

  /** The paces of the jobs that it takes, what it did not have last first, so that neither starves. */
  get paces(): readonly Exclude<Pace, "now">[] {
    return this.#paces;
  }

  /** Whether it cannot take a job now. */
  get busy(): boolean {
    return this.#state !== "free";
  }

  /** How many times it was ended because its work took too long or nobody wanted it any more. */
  get replaced(): number {
    return this.#replaced;
  }

  /** Answers a task; it is ended at the signal. It is busy until it is {@link ready}. */
  async run(task: QueryTask, pace: Exclude<Pace, "now">, signal: AbortSignal): Promise<QueryReply> {
    this.#state = "busy";
    this.#paces = [...this.#paces.filter((one) => one !== pace), pace];
    try {
      const transferList = [task.bytes.buffer as ArrayBuffer];
      return (await this.#piscina.run(task, { signal, transferList })) as QueryReply;
    } catch (thrown) {
      this.#awake = this.#wake();
      if (signal.aborted) this.#replaced++;
      throw thrown;
    }
  }

  /** Frees it for the next job, once it is there: a thread that is being started keeps nobody waiting. */
  async ready(): Promise<void> {
    await this.#awake;
    if (this.#state !== "closed") this.#state = "free";
  }

  async close(): Promise<void> {
    this.#state = "closed";
    await this.#awake;
    await this.#piscina.destroy();
  }

  #wake(): Promise<void> {
    return this.#piscina.run(undefined, { name: "wake" }).catch(this.#onFault) as Promise<void>;
  }
}
