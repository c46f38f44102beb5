import { ApiError, retryLater } from "./api-error.ts";

/** Milliseconds for which the new connections of a client that abuses the protocol are refused. */
const PENALTY_MS = 1000;

/** Clients that are not listened to for a moment, as every one of their connections costs others their time. */
export class Penalties {
  readonly #until = new Map<string, number>();

  punish(client: string): void {
    const now = performance.now();
    for (const [other, until] of this.#until) if (until <= now) this.#until.delete(other);
    this.#until.set(client, now + PENALTY_MS);
  }

  /** Refuses a client that is not listened to. */
  check(client: string): void {
    if (this.#until.size === 0 || (this.#until.get(client) ?? 0) <= performance.now()) return;
    const message = "too many requests, or too many pieces, at once";
    throw new ApiError(429, "too-many-requests", message, retryLater);
  }
}
