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

  /** Whether somebody has not been sent all of an answer yet. */
  get areUnderWay(): boolean {
    return [...this.#underWay].some(({ req }) => !req.socket.destroyed);
  }

  /** Has all connections end with the answers that are under way. */
  endConnections(): void {
    this.#isLast = true;
    for (const outgoing of this.#underWay) outgoing.shouldKeepAlive = false;
  }
}
