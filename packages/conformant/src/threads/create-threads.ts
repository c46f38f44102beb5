import { ConformantError, show } from "../errors.ts";
import type { EncodedColumn } from "../schema/data.ts";
import {
  DONE,
  FAILED,
  isShared,
  type PartedWork,
  type Parts,
  settlePart,
  TAKEN,
  type Threads,
  takePart,
  thisThread,
} from "./threads.ts";

/** The channel to a thread: a `Worker` of a browser or of Node, or a `MessagePort`. */
export interface ThreadPort {
  /** Sends a message to the thread. */
  postMessage(message: unknown): void;
}

/** A message to a thread. */
export interface PartsMessage {
  readonly name: string;
  /** The number of the shared input, and the input itself where the thread does not have it yet. */
  readonly lasting: number;
  readonly value?: object;
  readonly given: unknown;
  /** The state of each part, in shared memory. */
  readonly states: Int32Array;
  /** The results of all parts, in shared memory. */
  readonly out: Float64Array;
}

/**
 * Milliseconds without a step after which a part that another thread has taken is computed here as well, unless its kind sets another
 * limit: the thread may have ended, and a blocked thread receives no events.
 */
const PATIENCE = 1000;

/** Every worker that was ever used: a worker may belong to several lists of threads but has one memory. */
let numbersGiven = 0;

/**
 * Threads of the caller, each of which has called `helpThreads`. The calling thread computes parts as well and blocks until the others have
 * finished theirs. Where it must not block, as on the main thread of a page, or without shared memory, it computes all of them. Threads
 * that are not ready or have ended are not waited for.
 */
export function createThreads(ports: readonly ThreadPort[]): Threads {
  const areThreads = Array.isArray(ports) && ports.every((port) => typeof port?.postMessage === "function");
  if (!areThreads) {
    const message = `threads must be a list of workers or message ports, got ${show(ports)}`;
    throw new ConformantError("invalid-argument", message, { argument: "threads", value: ports });
  }
  return ports.length > 0 && mayWait() ? new PortThreads(ports) : thisThread;
}

/** Whether this thread may block. */
function mayWait(): boolean {
  if (typeof SharedArrayBuffer === "undefined") return false;
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

class PortThreads implements Threads {
  readonly #ports: readonly ThreadPort[];
  /** The shared inputs that threads have, by kind of work. */
  readonly #lasting = new Map<string, { readonly value: object; readonly number: number }>();

  constructor(ports: readonly ThreadPort[]) {
    this.#ports = ports;
  }

  run<Lasting extends object, Given>(
    work: PartedWork<Lasting, Given>,
    parts: Parts<Lasting, Given>,
    step?: (share: number) => void,
  ): Float64Array {
    const { lasting, given, count, numbers } = parts;
    const out = new Float64Array(new SharedArrayBuffer(8 * count * numbers));
    const states = new Int32Array(new SharedArrayBuffer(4 * count));
    const doPart = (part: number, all: Float64Array): void => {
      const own = all.subarray(part * numbers, (part + 1) * numbers);
      work.doPart(lasting, given, part, own, step && ((share) => step((part + share) / count)));
    };
    // Before the others start: they may take all parts while this thread waits to be scheduled.
    step?.(0);
    this.#send(work.name, parts, states, out);
    try {
      for (let part = takePart(states, 0); part >= 0; part = takePart(states, part + 1)) {
        doPart(part, out);
        settlePart(states, part, DONE);
        step?.((part + 1) / count);
      }
      const left = awaitParts(states, work.patience ?? PATIENCE, step);
      if (left.length === 0) return out;
      // The thread that took a part may still be writing, so a repeated part is written elsewhere.
      const own = out.slice();
      for (const part of left) doPart(part, own);
      return own;
    } catch (thrown) {
      // Nobody starts or continues a part that is no longer needed.
      for (let part = 0; part < count; part++) Atomics.store(states, part, FAILED);
      throw thrown;
    }
  }

  share<T>(data: T): T {
    return shareDeep(data, new Map()) as T;
  }

  #send<Lasting extends object, Given>(
    name: string,
    { lasting: value, given }: Parts<Lasting, Given>,
    states: Int32Array,
    out: Float64Array,
  ): void {
    const known = this.#lasting.get(name);
    const isNew = known?.value !== value;
    const number = known && !isNew ? known.number : ++numbersGiven;
    const message: PartsMessage = { name, lasting: number, ...(isNew && { value }), given, states, out };
    for (const port of this.#ports) port.postMessage(message);
    this.#lasting.set(name, { value, number }); // after sending, which throws for what cannot be sent
  }
}

/** Waits for the parts of others, in order, and returns those that failed, whose error is reproduced here, or were abandoned. */
function awaitParts(states: Int32Array, patience: number, step?: (share: number) => void): number[] {
  const left: number[] = [];
  for (let part = 0; part < states.length; part++) {
    let [state, heard] = [Atomics.load(states, part), Date.now()];
    while (state >= TAKEN && Date.now() - heard < patience) {
      const woken = Atomics.wait(states, part, state, PATIENCE);
      const now = Atomics.load(states, part);
      if (now !== state) [state, heard] = [now, Date.now()];
      if (woken === "timed-out") step?.(part / states.length);
    }
    if (state !== DONE) left.push(part);
  }
  return left;
}

/** @param copies the copy of each array: an array that occurs several times is copied once */
function shareDeep(data: unknown, copies: Map<unknown, EncodedColumn>): unknown {
  if (ArrayBuffer.isView(data)) {
    const shared = copies.get(data) ?? shareArray(data as EncodedColumn);
    copies.set(data, shared);
    return shared;
  }
  if (Array.isArray(data)) return data.map((part) => shareDeep(part, copies));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, part]) => [name, shareDeep(part, copies)]));
}

function shareArray(array: EncodedColumn): EncodedColumn {
  if (isShared(array)) return array;
  const Kind = array.constructor as new (buffer: SharedArrayBuffer) => EncodedColumn;
  const shared = new Kind(new SharedArrayBuffer(array.byteLength));
  shared.set(array);
  return shared;
}
