import { having, type OptionsOf, readOption } from "../options.ts";
import type { EncodedColumn } from "../schema/data.ts";

/**
 * A kind of work that is divided into parts. Each part writes only its own numbers, so that the result is the same to the last bit
 * whichever thread computes which part.
 */
export interface PartedWork<Lasting extends object, Given> {
  /** Identifies the kind in messages. */
  readonly name: string;
  /**
   * Computes the numbers of a part.
   *
   * @param step is called between the steps of a long part, with the share that is done; it may end the part by throwing
   */
  readonly doPart: (
    lasting: Lasting,
    given: Given,
    part: number,
    out: Float64Array,
    step?: (share: number) => void,
  ) => void;
  /** Milliseconds without a step after which a part counts as abandoned. Default 1000. */
  readonly patience?: number;
}

/** The work: everything in it can be sent to another thread, arrays in shared memory without a copy. */
export interface Parts<Lasting extends object, Given> {
  /** Input that stays the same from call to call, such as a model: each thread receives it once. */
  readonly lasting: Lasting;
  readonly given: Given;
  readonly count: number;
  /** The number of results of each part. */
  readonly numbers: number;
}

/** Threads that work together, including the calling one. */
export interface Threads {
  /**
   * Computes all parts and returns their numbers, part after part.
   *
   * @param step is called between parts, and between their steps, with the share that is done; it may end the work by throwing
   */
  run<Lasting extends object, Given>(
    work: PartedWork<Lasting, Given>,
    parts: Parts<Lasting, Given>,
    step?: (share: number) => void,
  ): Float64Array;
  /** Lists and records with their typed arrays in memory that all threads share: unchanged, or copied there. */
  share<T>(data: T): T;
}

/** The calling thread alone, which computes one part after another. */
export const thisThread: Threads = {
  run: ({ doPart }, { lasting, given, count, numbers }, step) => {
    const out = new Float64Array(count * numbers);
    for (let part = 0; part < count; part++) {
      step?.(part / count);
      const own = out.subarray(part * numbers, (part + 1) * numbers);
      doPart(lasting, given, part, own, step && ((share) => step((part + share) / count)));
    }
    return out;
  },
  share: (data) => data,
};

/** Options of computations that threads may share. */
export interface ThreadOptions {
  /** Threads from `createThreads`; the results are the same to the last bit. Default: the calling thread alone. */
  readonly threads?: Threads | undefined;
}

/** How {@link ThreadOptions} are read. */
export const threadOptions = {
  threads: having<Threads>("what createThreads returns", { run: "function", share: "function" }),
} satisfies OptionsOf<ThreadOptions>;

/** The threads of the options; without any, the calling one. */
export function checkThreads({ threads }: ThreadOptions): Threads {
  return readOption(threads, threadOptions.threads, "options.threads") ?? thisThread;
}

/** Whether an array is in shared memory. */
export function isShared({ buffer }: EncodedColumn): boolean {
  return typeof SharedArrayBuffer !== "undefined" && buffer instanceof SharedArrayBuffer;
}

/** The state of a part: free, written, failed, or taken, which counts its steps. */
export const [OPEN, DONE, FAILED, TAKEN] = [0, 1, 2, 3] as const;

/** Takes the first free part from `from` on; −1 where there is none. */
export function takePart(states: Int32Array, from: number): number {
  for (let part = from; part < states.length; part++)
    if (Atomics.compareExchange(states, part, OPEN, TAKEN) === OPEN) return part;
  return -1;
}

/** Counts the steps of a taken part; throws once the part is no longer needed. */
export function countSteps(states: Int32Array, part: number): () => void {
  let state: number = TAKEN;
  return () => {
    if (Atomics.compareExchange(states, part, state, state + 1) !== state) throw new Error("not wanted");
    state++;
  };
}

/** Records the outcome of a part and wakes whoever waits for it. */
export function settlePart(states: Int32Array, part: number, state: typeof DONE | typeof FAILED): void {
  Atomics.store(states, part, state);
  Atomics.notify(states, part);
}
