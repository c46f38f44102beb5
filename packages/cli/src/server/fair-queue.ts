/** Jobs that wait: each client's in their order, the clients in turns. */
export class FairQueue<Job> {
  /** Clients in the order of their turns. */
  readonly #waiting = new Map<string, Job[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(client: string, job: Job): void {
    const own = this.#waiting.get(client);
    if (own) own.push(job);
    else this.#waiting.set(client, [job]);
    this.#size++;
  }

  /** The next job of the client whose turn it is, who then goes to the end. */
  shift(): Job | undefined {
    for (const [client, own] of this.#waiting) {
      const job = own.shift();
      this.#size--;
      this.#waiting.delete(client);
      if (own.length > 0) this.#waiting.set(client, own);
      return job;
    }
    return undefined;
  }

  /** Takes a job out; whether it was there. */
  remove(client: string, job: Job): boolean {
    const own = this.#waiting.get(client) ?? [];
    const at = own.indexOf(job);
    if (at < 0) return false;
    own.splice(at, 1);
    this.#size--;
    if (own.length === 0) this.#waiting.delete(client);
    return true;
  }

  /** The first job of every client. */
  *heads(): Generator<Job> {
    for (const [job] of this.#waiting.values()) yield job;
  }
}
