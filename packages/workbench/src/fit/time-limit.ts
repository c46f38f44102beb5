import { ConformantError, type StopSignal, type WatchOptions } from "conformant";
import type { Reporter } from "../source/reporter.ts";

/** The time that a fit may take, and what it cut short. */
export class TimeLimit {
  readonly #seconds: number;
  readonly #end: number;
  readonly #cut = new Set<string>();

  /** @param seconds from now on, or Infinity */
  constructor(seconds: number) {
    this.#seconds = seconds;
    this.#end = Date.now() + 1000 * seconds;
  }

  get isOver(): boolean {
    return Date.now() > this.#end;
  }

  /** Seconds that a share of the time left is. */
  share(share: number): number {
    return Math.max(0, (share * (this.#end - Date.now())) / 1000);
  }

  /** Notes that something was cut short. */
  note(what: string): void {
    this.#cut.add(what);
  }

  /** The same options, stopped where the time is over. */
  watch(options: WatchOptions): WatchOptions {
    if (this.#seconds === Number.POSITIVE_INFINITY) return options;
    const limit = this;
    const signal: StopSignal = {
      get aborted() {
        return limit.isOver;
      },
    };
    return { ...options, signal };
  }

  /** Does what can be done without; undefined, with a note, where the time is over before the end. */
  async attempt<T>(what: string, run: () => Promise<T> | T): Promise<T | undefined> {
    if (!this.isOver) {
      try {
        return await run();
      } catch (thrown) {
        if (!this.isOver || !(thrown instanceof ConformantError) || thrown.code !== "aborted") throw thrown;
      }
    }
    this.note(what);
    return undefined;
  }

  /** Warns of what was cut short. */
  warn(reporter: Reporter): void {
    if (this.#cut.size === 0) return;
    const what = [...this.#cut].join(", ");
    reporter.warn(
      `the time limit of ${this.#seconds} s cut short: ${what}; the result depends on the speed of the machine`,
    );
  }
}
