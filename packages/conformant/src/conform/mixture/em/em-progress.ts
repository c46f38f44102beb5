import type { MixtureSettings } from "../mixture-settings.ts";

/** Tells from the likelihoods of EM's steps how much of the way is done: steps end when one gains little beside all before it. */
export class EmProgress {
  readonly #settings: Pick<MixtureSettings, "tolerance" | "maxSteps">;
  readonly #logLikelihoods: number[] = [];

  constructor(settings: Pick<MixtureSettings, "tolerance" | "maxSteps">) {
    this.#settings = settings;
  }

  /** The share that is done after a step with this likelihood. */
  shareAfter(logLikelihood: number): number {
    const all = this.#logLikelihoods;
    all.push(logLikelihood);
    const { tolerance, maxSteps } = this.#settings;
    const bySteps = (all.length - 1) / (maxSteps + 1);
    if (all.length < 3) return bySteps;
    const gained = (logLikelihood - all[all.length - 2]) / (logLikelihood - all[0]);
    return Math.max(bySteps, Math.min(1, Math.log(gained) / Math.log(tolerance)) || 0);
  }
}
