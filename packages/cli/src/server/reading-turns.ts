import { FairQueue } from "./fair-queue.ts";

/** Bodies that are read on in one turn of the event loop. */
const AT_A_TIME = 4;

/**
 * Long bodies are read in turns, a few pieces in each turn of the event loop, and clients take turns as well. Otherwise
 * what many connections send at a time would be one long turn, in which nobody is answered and one connection accepted.
 */
export class ReadingTurns {
  readonly #waiting = new FairQueue<() => void>();
  #scheduled = false;

  /** Resolves when a client may read its next piece. */
  next(client: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(client, resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      for (let n = 0; n < AT_A_TIME; n++) this.#waiting.shift()?.();
      this.#scheduled = false;
      this.#schedule();
    });
  }
}
