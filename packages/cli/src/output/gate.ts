import { setTimeout as wait } from "node:timers/promises";
import { CliError } from "../errors.ts";

const [OPEN, IN_USE, CLOSED] = [0, 1, 2];
/** Positions in the shared memory: the state, and the number of running calls. */
const [STATE, OUT] = [0, 1];
/** Milliseconds between two checks whether calls are still running. */
const LOOK_MS = 5;

/**
 * Files are created and renamed, and engines are called, only while a gate is open. The gate is shared with the thread that runs a command.
 * Once the main thread has closed it, nothing new appears, so that cleanup is final.
 */
export class Gate {
  readonly memory: SharedArrayBuffer;
  readonly #shared: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#shared = new Int32Array(memory);
  }

  /** Runs an action completely, or not at all once the gate is closed. */
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

  /** Closes the gate after the action that is passing it; stops waiting after this many milliseconds. */
  close(patience: number): void {
    while (Atomics.compareExchange(this.#shared, STATE, OPEN, CLOSED) === IN_USE)
      if (Atomics.wait(this.#shared, STATE, IN_USE, patience) === "timed-out") return;
  }

  /** Calls an engine that works outside this thread; the thread must not end before the engine has answered. */
  async call<Result>(work: () => Promise<Result>): Promise<Result> {
    this.pass(() => Atomics.add(this.#shared, OUT, 1));
    try {
      return await work();
    } finally {
      Atomics.sub(this.#shared, OUT, 1);
    }
  }

  /** Whether a call is running. */
  get isBusy(): boolean {
    return Atomics.load(this.#shared, OUT) > 0;
  }

  /** Whether all calls end within this many milliseconds. */
  async isQuiet(patience: number): Promise<boolean> {
    for (const end = performance.now() + patience; this.isBusy; await wait(LOOK_MS))
      if (performance.now() > end) return false;
    return true;
  }
}
