import { ConformantError, requireOptions } from "./errors.ts";
import { callable, having, type OptionsOf, readOption } from "./options.ts";

/** The progress of a computation. */
export interface Progress {
  /** The current stage. */
  readonly stage: Stage;
  /** The estimated share of all work that is done, from 0 to 1; it never decreases. */
  readonly share: number;
  /** During the choice of a size: the sizes compared so far, with the mean log-likelihood of held-out rows. */
  readonly tried?: readonly { readonly components: number; readonly logLikelihood: number }[];
}

/** The stages that may take longer than a second. */
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

/** Tells whether to stop: an `AbortSignal`, or any object with `aborted`. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** Options of computations that may take longer than a second: a progress callback and a stop signal. */
export interface WatchOptions {
  /** Called between steps. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Checked between steps; once it is aborted the call throws a {@link ConformantError} with the code "aborted". A synchronous call
   * receives no events, so `onProgress` has to abort it, or another thread through shared memory.
   */
  readonly signal?: StopSignal | undefined;
}

/** How {@link WatchOptions} are read. */
export const watchOptions = {
  onProgress: callable<(progress: Progress) => void>(),
  signal: having<StopSignal>("an AbortSignal or an object with aborted", { aborted: "boolean" }),
} satisfies OptionsOf<WatchOptions>;

/**
 * The one place where computations report progress and are stopped. Each computation creates a watch from its options and calls {@link
 * step} between its steps. A nested call gets {@link part} as options, so that its steps count as a share of the whole.
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

  /** Throws if the computation was aborted. */
  readonly check = (): void => {
    const signal = this.#signal;
    if (signal?.aborted !== true) return;
    const why = signal.reason instanceof Error ? signal.reason.message : signal.reason;
    const message =
      why === undefined ? "the work was stopped by options.signal" : `the work was stopped: ${why}`;
    throw new ConformantError("aborted", message, { argument: "options.signal" }, { cause: signal.reason });
  };

  /** Between two steps: reports the share that is done, then checks whether to stop. */
  step(share: number, tried?: Progress["tried"]): void {
    this.check();
    if (this.#onProgress === undefined) return;
    this.#report({ stage: this.#stage, share, ...(tried && { tried }) });
    this.check();
  }

  /** Starts a timer: between two steps it tells whether this many seconds are over, and reports the elapsed share. */
  timer(seconds: number): () => boolean {
    const started = Date.now();
    return () => {
      const passed = (Date.now() - started) / 1000;
      this.step(passed / seconds);
      return passed > seconds;
    };
  }

  /** Options for a nested call that covers the work from share `from` to share `to`. */
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
    // Estimates of the remaining work may grow, but the share done never decreases. NaN is ignored.
    this.#share = Math.min(1, Math.max(this.#share, progress.share || 0));
    this.#onProgress?.({ ...progress, share: this.#share });
  }
}

/** The share of the way from the first error to the tolerance, for errors that decrease geometrically. */
export function shareOfDescent(first: number, now: number, tolerance: number): number {
  if (!(now > tolerance)) return 1;
  return first > tolerance ? Math.log(first / now) / Math.log(first / tolerance) : 0;
}
