/** Milliseconds for which the new connections of a client that abuses the protocol are closed at once. */
const PENALTY_MS = 1000;

/** Clients that are not listened to for a moment, as every one of their connections costs others their time. */
export class Penalties {
  readonly #until = new Map<string, number>();

  punish(client: string): void {
    const now = performance.now();
    for (const [other, until] of this.#until) if (until <= now) this.#until.delete(other);
    this.#until.set(client, now + PENALTY_MS);
  }

  isPunished(client: string): boolean {
    return this.#until.size > 0 && (this.#until.get(client) ?? 0) > performance.now();
  }
}
