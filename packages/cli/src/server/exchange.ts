import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { ApiError, closeConnection, errorBody, retryLater } from "./api-error.ts";
import { apiHeaders, hostCheck, tokenCheck } from "./guard.ts";
import type { Outcome } from "./metrics.ts";
import { CLIENT_LEFT, type LogEntry } from "./request-log.ts";

export type Env = { Bindings: HttpBindings };

/** One request and its response. */
export interface Exchange {
  readonly c: Context<Env>;
  /** Aborted when the response is sent or the client disconnects, whichever comes first. */
  readonly closed: AbortSignal;
  /** Reserves this many bytes of memory until the exchange ends, or fails with 503. */
  readonly hold: (bytes: number) => void;
}

/** How a path is handled. */
export interface Terms {
  /** The name of the path in the log. */
  readonly route: string;
  /** Whether the token is required. */
  readonly guarded: boolean;
  /** Whether it is answered even under overload. */
  readonly always?: boolean;
}

export interface ExchangeOptions {
  readonly host: string;
  /** Whether the host is reachable only from this machine. */
  readonly isLocal: boolean;
  readonly token: string | undefined;
  /** Whether all requests come from a proxy, which limits its clients itself. */
  readonly behindProxy: boolean;
  readonly capacity: Capacity;
  readonly log: { readonly add: (entry: LogEntry) => void };
  readonly metrics: { readonly add: (outcome: Outcome) => void; readonly refuse: (reason: string) => void };
}

/** Limits over all requests: how many at a time, at most half for one client, and bytes of memory. */
export class Capacity {
  readonly #most: { readonly requests: number; readonly bytes: number };
  readonly #byClient = new Map<string, number>();
  #requests = 0;
  #bytes = 0;

  constructor(most: { readonly requests: number; readonly bytes: number }) {
    this.#most = most;
  }

  get requests(): number {
    return this.#requests;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isExhausted(): boolean {
    return this.#requests >= this.#most.requests;
  }

  /** @param client an address, or undefined where it does not identify the client */
  enter(client: string | undefined): void {
    if (this.isExhausted) throw busy("requests");
    if (client !== undefined) {
      const own = (this.#byClient.get(client) ?? 0) + 1;
      const share = Math.ceil(this.#most.requests / 2);
      if (own > share) {
        const message = `one client can have ${share} requests at a time`;
        throw new ApiError(429, "too-many-requests", message, retryLater);
      }
      this.#byClient.set(client, own);
    }
    this.#requests++;
  }

  leave(client: string | undefined): void {
    this.#requests--;
    if (client === undefined) return;
    const own = (this.#byClient.get(client) ?? 0) - 1;
    if (own > 0) this.#byClient.set(client, own);
    else this.#byClient.delete(client);
  }

  /** @param more negative to release */
  hold(more: number): void {
    if (more > 0 && this.#bytes + more > this.#most.bytes) throw busy("bytes in memory");
    this.#bytes += more;
  }
}

function busy(what: string): ApiError {
  return new ApiError(503, "busy", `the server has too many ${what}; try again shortly`, retryLater);
}

/** Memory that every request may use without a reservation; the number of requests is limited anyway. */
const FREE_BYTES = 65_536;
/** The most bytes of a rejected body that are read so that its connection can be reused. */
const READ_FOR_NOTHING = 65_536;

/** Wraps every handler: authorization, limits, errors as JSON, metrics and the log. */
export function createExchange(
  options: ExchangeOptions,
): (
  c: Context<Env>,
  terms: Terms,
  answer: (exchange: Exchange) => Response | Promise<Response>,
) => Promise<Response> {
  const { behindProxy, capacity, log, metrics } = options;
  const [checkHost, checkToken] = [hostCheck(options.host, options.isLocal), tokenCheck(options.token)];
  const sentBefore = new WeakMap<Socket, number>();

  return async (c, { route, guarded, always = false }, answer) => {
    const started = performance.now();
    const { incoming, outgoing } = c.env;
    const { socket } = incoming;
    const client = behindProxy ? undefined : socket.remoteAddress;
    const closed = new AbortController();
    let [entered, held] = [false, 0];
    const hold = (bytes: number): void => {
      const counted = bytes <= FREE_BYTES || closed.signal.aborted ? 0 : bytes;
      capacity.hold(counted - held);
      held = counted;
    };
    const close = (): void => {
      if (closed.signal.aborted) return;
      closed.abort();
      socket.off("close", close);
      if (entered) capacity.leave(client);
      hold(0);
      const aborted = !outgoing.writableFinished;
      const status = aborted && !outgoing.headersSent ? CLIENT_LEFT : outgoing.statusCode;
      const milliseconds = Math.round(1000 * (performance.now() - started)) / 1000;
      // Responses leave a connection in the order of their requests, so new bytes since the last one belong to this one.
      const sent = socket.bytesWritten - socket.writableLength;
      const bytes = sent - (sentBefore.get(socket) ?? 0);
      sentBefore.set(socket, sent);
      metrics.add({ route, status, milliseconds, aborted });
      log.add({ method: c.req.method, route, status, milliseconds, bytes, ...(aborted && { aborted }) });
    };
    outgoing.once("close", close);
    // A pipelined response that waits for another is not notified when the connection ends.
    if (outgoing.socket === null) socket.setMaxListeners(0).once("close", close);
    try {
      checkHost(incoming.headers.host);
      if (!always) {
        capacity.enter(client);
        entered = true;
      }
      if (guarded) checkToken(incoming.headers.authorization);
      return await answer({ c, closed: closed.signal, hold });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown.status === 429 || thrown.status === 503) metrics.refuse(thrown.code);
      return new Response(errorBody(thrown.code, thrown.message), {
        status: thrown.status,
        headers: { ...apiHeaders, ...thrown.headers, ...(hasMuchToCome(incoming) && closeConnection) },
      });
    }
  };
}

/** Whether the rest of a body is too long to be skipped, or may never come: reading it was given up or not allowed. */
function hasMuchToCome({ complete, headers, readableDidRead }: IncomingMessage): boolean {
  const length =
    headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;
  return !complete && (readableDidRead || headers.expect !== undefined || length > READ_FOR_NOTHING);
}
