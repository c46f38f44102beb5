import { ApiError, retryLater } from "./api-error.ts";

/** Something that clients share, such as requests at a time: so much in all, and at most half of it for one client. */
export class Allowance {
  readonly #what: string;
  readonly #total: number;
  readonly #share: number;
  readonly #byClient = new Map<string, number>();
  #used = 0;

  constructor(what: string, total: number, share = Math.ceil(total / 2)) {
    this.#what = what;
    this.#total = total;
    this.#share = share;
  }

  /** Takes some for a client, or refuses: 503 where there is no more, 429 where it is the client that has too much. */
  take(client: string, amount = 1): void {
    const own = (this.#byClient.get(client) ?? 0) + amount;
    if (this.#used + amount > this.#total) {
      throw new ApiError(503, "busy", `the server has too many ${this.#what}; try again shortly`, retryLater);
    }
    if (own > this.#share) {
      const message = `too many ${this.#what} of one client; ${this.#share} at a time are allowed`;
      throw new ApiError(429, "too-many-requests", message, retryLater);
    }
    this.#used += amount;
    this.#byClient.set(client, own);
  }

  giveBack(client: string, amount = 1): void {
    const own = (this.#byClient.get(client) ?? 0) - amount;
    this.#used -= amount;
    if (own > 0) this.#byClient.set(client, own);
    else this.#byClient.delete(client);
  }

  get used(): number {
    return this.#used;
  }

  /** Whether the next one would be refused, whoever asks. */
  get exhausted(): boolean {
    return this.#used >= this.#total;
  }
}

/** What one request holds of an allowance, given back all at once. */
export class Holding {
  readonly #allowance: Allowance;
  readonly #client: string;
  #amount = 0;

  constructor(allowance: Allowance, client: string) {
    this.#allowance = allowance;
    this.#client = client;
  }

  /** Holds exactly so much from now on. */
  hold(amount: number): void {
    if (amount > this.#amount) this.#allowance.take(this.#client, amount - this.#amount);
    else if (amount < this.#amount) this.#allowance.giveBack(this.#client, this.#amount - amount);
    this.#amount = amount;
  }
}
