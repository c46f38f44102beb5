import { having, type OptionsOf, readOption } from "../options.ts";
import type { EncodedColumn } from "../schema/data.ts";

/**
 * A kind of work that is done in parts. A part writes its own numbers and reads none of another's, so that the outcome is the same to the
 * last bit, whoever does which.
 */
export interface PartedWork<Lasting extends object, Given> {
  /** By which a thread finds what to do. */
  readonly name: string;
  /**
   * Writes the numbers of a part.
   *
   * @param step to be called between the steps of a part that takes long, with the share of it that is done; it may end the part by
   * throwing
   */
  readonly doPart: (
    lasting: Lasting,
    given: Given,
    part: number,
    out: Float64Array,
    step?: (share: number) => void,
  ) => void;
  /** Milliseconds without a step after which a part counts as abandoned by its thread. Default 1000. */
  readonly patience?: number;
}

/** What is to be done: everything in it can be handed to another thread, arrays in shared memory without a copy. */
export interface Parts<Lasting extends object, Given> {
  /** What stays the same from call to call, a model say: each thread gets it once. */
  readonly lasting: Lasting;
  readonly given: Given;
  readonly count: number;
  /** Numbers that each part writes. */
  readonly numbers: number;
}

/** Threads that do work together, the calling one among them. */
export interface Threads {
  /**
   * Has all parts done and returns their numbers, part after part.
   *
   * @param step called between parts, and between their steps, with the share that is done; it may end the work by throwing
   */
  run<Lasting extends object, Given>(
    work: PartedWork<Lasting, Given>,
    parts: Parts<Lasting, Given>,
    step?: (share: number) => void,
  ): Float64Array;
  /** Lists and records with their typed arrays where all threads see them: as they are, or copies in shared memory. */
  share<T>(data: T): T;
}

/** The calling thread by itself, which does part after part. */
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

/** For work that threads may share. */
export interface ThreadOptions {
  /** Threads of the caller's, made by `createThreads`; the answers are the same to the last bit. Default: this thread alone. */
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

/** Whether an array is in memory that other threads see. */
export function isShared({ buffer }: EncodedColumn): boolean {
  return typeof SharedArrayBuffer !== "undefined" && buffer instanceof SharedArrayBuffer;
}

/** What a part is: nobody's yet, written, given up because of an error, or somebody's, to whom every step of the part adds 1. */
export const [OPEN, DONE, FAILED, TAKEN] = [0, 1, 2, 3] as const;

/** Takes the first part from `from` on that is nobody's; −1 where there is none. */
export function takePart(states: Int32Array, from: number): number {
  for (let part = from; part < states.length; part++)
    if (Atomics.compareExchange(states, part, OPEN, TAKEN) === OPEN) return part;
  return -1;
}

/** Counts the steps of a part that was taken; throws once nobody wants it any more. */
export function countSteps(states: Int32Array, part: number): () => void {
  let state: number = TAKEN;
  return () => {
    if (Atomics.compareExchange(states, part, state, state + 1) !== state) throw new Error("not wanted");
    state++;
  };
}

/** Says what became of a part, also to who waits for it. */
export function settlePart(states: Int32Array, part: number, state: typeof DONE | typeof FAILED): void {
  Atomics.store(states, part, state);
  Atomics.notify(states, part);
}
