import { ConformantError, show } from "../errors.ts";
import type { EncodedColumn } from "../schema/data.ts";

/**
 * A kind of work that is done in parts. A part writes its own numbers and reads none of another's, so that the outcome is the same to the
 * last bit, whoever does which.
 */
export interface PartedWork<Lasting extends object, Given> {
  /** By which a thread finds what to do. */
  readonly name: string;
  /** Writes the numbers of a part. */
  readonly doPart: (lasting: Lasting, given: Given, part: number, out: Float64Array) => void;
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
   * @param step called between parts with the share that is done; it may end the work by throwing
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
      doPart(lasting, given, part, out.subarray(part * numbers, (part + 1) * numbers));
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

/** The threads of the options; without any, the calling one. */
export function checkThreads({ threads = thisThread }: ThreadOptions): Threads {
  if (typeof threads?.run === "function" && typeof threads.share === "function") return threads;
  const message = `options.threads must be what createThreads returns, got ${show(threads)}`;
  throw new ConformantError("invalid-argument", message, { argument: "options.threads" });
}

/** Whether an array is in memory that other threads see. */
export function isShared({ buffer }: EncodedColumn): boolean {
  return typeof SharedArrayBuffer !== "undefined" && buffer instanceof SharedArrayBuffer;
}
