import { ConformantError, requireOptions } from "./errors.ts";
import { callable, having, type OptionsOf, readOption } from "./options.ts";

/** How far a piece of work has come. */
export interface Progress {
  /** What is being done now. */
  readonly stage: Stage;
  /** The share of the whole work that is done, from 0 to 1, as far as it can be told; it never falls. */
  readonly share: number;
  /** While a size is chosen: the sizes that were compared so far, with the mean log-likelihood of held-out rows. */
  readonly tried?: readonly { readonly components: number; readonly logLikelihood: number }[];
}

/** The kinds of work that may take longer than a second. */
export type Stage =
  | "reading"
  | "training"
  | "choosing"
  | "fitting"
  | "completing"
  | "imputing"
  | "predicting"
  | "searching"
  | "drawing"
  | "planning";

/** Says whether work is to end: an `AbortSignal`, or anything else with `aborted`. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** For work that may take longer than a second: who is told how far it has come, and who may end it. */
export interface WatchOptions {
  /** Called between steps. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Looked at between steps; once it is aborted the call throws a {@link ConformantError} with the code "aborted". A call that
   * is not asynchronous hears no events, so it is `onProgress` that aborts it, or another thread through shared memory.
   */
  readonly signal?: StopSignal | undefined;
}

/** How {@link WatchOptions} are read. */
export const watchOptions = {
  onProgress: callable<(progress: Progress) => void>(),
  signal: having<StopSignal>("an AbortSignal or an object with aborted", { aborted: "boolean" }),
} satisfies OptionsOf<WatchOptions>;

/**
 * The one place where work reports and is stopped. Each piece of work makes a watch of its options and calls {@link step}
 * between its steps; a call inside it gets {@link part} as options, so that its own steps count as a share of the whole.
 */
export class Watch {
  readonly #onProgress: WatchOptions["onProgress"];
  readonly #signal: StopSignal | undefined;
  readonly #stage: Stage;
  #share = 0;

  constructor(options: WatchOptions, stage: Stage) {
    requireOptions(options);
    this.#onProgress = readOption(options.onProgress, watchOptions.onProgress, "options.onProgress");
    this.#signal = readOption(options.signal, watchOptions.signal, "options.signal");
    this.#stage = stage;
    this.check();
  }

  /** Throws where the work is to end. */
  readonly check = (): void => {
    const signal = this.#signal;
    if (signal?.aborted !== true) return;
    const why = signal.reason instanceof Error ? signal.reason.message : signal.reason;
    const message =
      why === undefined ? "the work was stopped by options.signal" : `the work was stopped: ${why}`;
    throw new ConformantError("aborted", message, { argument: "options.signal" }, { cause: signal.reason });
  };

  /** Between two steps: reports that a share of the work is done, then looks whether it is to end. */
  step(share: number, tried?: Progress["tried"]): void {
    this.check();
    if (this.#onProgress === undefined) return;
    this.#report({ stage: this.#stage, share, ...(tried && { tried }) });
    this.check();
  }

  /** A clock that starts now: asked between two steps whether so many seconds are over, it reports the share that is. */
  timer(seconds: number): () => boolean {
    const started = Date.now();
    return () => {
      const passed = (Date.now() - started) / 1000;
      this.step(passed / seconds);
      return passed > seconds;
    };
  }

  /** Options for a call that is the part of this work from share `from` to share `to`. */
  part(from: number, to: number, tried?: Progress["tried"]): WatchOptions {
    return {
      signal: this.#signal,
      onProgress:
        this.#onProgress &&
        ((inner) =>
          this.#report({ ...(tried && { tried }), ...inner, share: from + (to - from) * inner.share })),
    };
  }

  #report(progress: Progress): void {
    // Estimates of what is left may grow; what is done does not become less. NaN is no news.
    this.#share = Math.min(1, Math.max(this.#share, progress.share || 0));
    this.#onProgress?.({ ...progress, share: this.#share });
  }
}

/** How much of the way from the first error to the tolerance is done, where errors fall by about the same factor each step. */
export function shareOfDescent(first: number, now: number, tolerance: number): number {
  if (!(now > tolerance)) return 1;
  return first > tolerance ? Math.log(first / now) / Math.log(first / tolerance) : 0;
}
