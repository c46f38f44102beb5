import type { ServerResponse } from "node:http";

/** Answers that are under way. Once the server stops each is the last on its connection, and says so. */
export class LastAnswers {
  readonly #underWay = new Set<ServerResponse>();
  #isLast = false;

  watch(outgoing: ServerResponse): void {
    if (this.#isLast) outgoing.shouldKeepAlive = false;
    this.#underWay.add(outgoing);
    outgoing.once("close", () => this.#underWay.delete(outgoing));
  }

  /** Has all connections end with the answers that are under way. */
  endConnections(): void {
    this.#isLast = true;
    for (const outgoing of this.#underWay) outgoing.shouldKeepAlive = false;
  }
}
