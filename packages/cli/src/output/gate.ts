import { setTimeout as wait } from "node:timers/promises";
import { CliError } from "../errors.ts";

const [OPEN, IN_USE, CLOSED] = [0, 1, 2];
/** Where the state stands in the shared memory, and the number of calls that are out. */
const [STATE, OUT] = [0, 1];
/** Milliseconds between two looks at whether calls are still out. */
const LOOK_MS = 5;

/**
 * Files are made and get their names, and engines are called, only while a gate is open. It is shared with the thread that runs a
 * command: once the main thread has closed it, nothing appears any more, and what it then takes away stays away.
 */
export class Gate {
  readonly memory: SharedArrayBuffer;
  readonly #shared: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#shared = new Int32Array(memory);
  }

  /** Does something that is either done whole or, once the gate is closed, not begun. */
  pass<Result>(action: () => Result): Result {
    if (Atomics.compareExchange(this.#shared, STATE, OPEN, IN_USE) !== OPEN)
      throw new CliError("interrupted", "stopped before the end");
    try {
      return action();
    } finally {
      Atomics.store(this.#shared, STATE, OPEN);
      Atomics.notify(this.#shared, STATE);
    }
  }

  /** Closes the gate, after whatever is passing it; gives up on that after so many milliseconds. */
  close(patience: number): void {
    while (Atomics.compareExchange(this.#shared, STATE, OPEN, CLOSED) === IN_USE)
      if (Atomics.wait(this.#shared, STATE, IN_USE, patience) === "timed-out") return;
  }

  /** Calls an engine that works outside of this thread, which must not be ended before the engine has answered. */
  async call<Result>(work: () => Promise<Result>): Promise<Result> {
    this.pass(() => Atomics.add(this.#shared, OUT, 1));
    try {
      return await work();
    } finally {
      Atomics.sub(this.#shared, OUT, 1);
    }
  }

  /** Whether a call is out. */
  get isBusy(): boolean {
    return Atomics.load(this.#shared, OUT) > 0;
  }

  /** Whether, after at most so many milliseconds, no call is out. */
  async isQuiet(patience: number): Promise<boolean> {
    for (const end = performance.now() + patience; this.isBusy; await wait(LOOK_MS))
      if (performance.now() > end) return false;
    return true;
  }
}
