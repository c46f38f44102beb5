import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Allowance } from "./allowance.ts";
import { AbuseError, ApiError, closeConnection, errorBody } from "./api-error.ts";
import { clientAddress } from "./client-address.ts";
import { apiHeaders, hostCheck, tokenCheck } from "./guard.ts";
import type { Outcome } from "./metrics.ts";
import { CLIENT_LEFT, type LogEntry } from "./request-log.ts";

export type Env = { Bindings: HttpBindings };

/** One request on its way to its answer. */
export interface Exchange {
  readonly c: Context<Env>;
  readonly client: string;
  /** Does something when the answer is sent or the client gone, whichever comes first. */
  readonly onClose: (listener: () => void) => void;
  /** Gives the exchange so many milliseconds from now on. */
  readonly extend: (milliseconds: number) => void;
}

/** What is asked of those who ask. */
export interface Terms {
  /** The name of the address, for the log. */
  readonly route: string;
  /** Whether the token is needed. */
  readonly guarded: boolean;
  /** Whether it is answered whatever happens, and so counts for nothing. */
  readonly always?: boolean;
  /** Milliseconds after which the connection is cut, if the client has not read its answer by then. */
  readonly patience: number;
}

export interface ExchangeOptions {
  readonly host: string;
  readonly token: string | undefined;
  readonly behindProxy: boolean;
  /** Requests at a time. */
  readonly requests: Allowance;
  /** Ends a connection whose client abuses the protocol. */
  readonly punish: (socket: Socket) => void;
  readonly log: { readonly add: (entry: LogEntry) => void };
  readonly metrics: { readonly add: (outcome: Outcome) => void; readonly refuse: (reason: string) => void };
}

export type Answer = (exchange: Exchange) => Response | Promise<Response>;

/** Bytes of the body of a refused request that are read, so that its connection can be kept. */
const READ_FOR_NOTHING = 65_536;
/** Milliseconds between two looks at those who do not read their answers. */
const SWEEP_MS = 500;

/** Around every answer: who may ask, how many at a time and for how long, refusals as JSON, counts and the log. */
export function createExchange(
  options: ExchangeOptions,
): (c: Context<Env>, terms: Terms, answer: Answer) => Promise<Response> {
  const { behindProxy, requests, log, metrics } = options;
  const [checkHost, checkToken] = [hostCheck(options.host), tokenCheck(options.token)];
  /** When to cut the connections of the answers that are under way. */
  const deadlines = new Map<ServerResponse, number>();
  setInterval(() => cutOff(deadlines), SWEEP_MS).unref();
  const sentBefore = new WeakMap<Socket, number>();
  /** What is to be done at the end of a connection about answers that are behind others on it: one listener for all of them. */
  const behindOthers = new WeakMap<Socket, Set<() => void>>();
  const atEnd = (socket: Socket): Set<() => void> => {
    const known = behindOthers.get(socket);
    if (known) return known;
    const closing = new Set<() => void>();
    behindOthers.set(socket, closing);
    socket.once("close", () => {
      for (const close of closing) close();
    });
    return closing;
  };

  return async (c, { route, guarded, always = false, patience }, answer) => {
    const started = performance.now();
    const { incoming, outgoing } = c.env;
    const { socket } = incoming;
    const client = clientAddress(incoming, behindProxy);
    const listeners: (() => void)[] = [];
    let [taken, closed] = [false, false];
    const close = (): void => {
      if (closed) return;
      closed = true;
      behindOthers.get(socket)?.delete(close);
      if (taken) requests.giveBack(client);
      for (const listener of listeners) listener();
      deadlines.delete(outgoing);
      const aborted = !outgoing.writableFinished;
      const status = aborted && !outgoing.headersSent ? CLIENT_LEFT : outgoing.statusCode;
      const milliseconds = Math.round(1000 * (performance.now() - started)) / 1000;
      // Answers leave a connection in the order of their requests, so what is new since the last one is this one's.
      const sent = socket.bytesWritten - socket.writableLength;
      const bytes = sent - (sentBefore.get(socket) ?? 0);
      sentBefore.set(socket, sent);
      metrics.add({ route, status, milliseconds, aborted });
      log.add({ method: c.req.method, route, status, milliseconds, bytes, ...(aborted && { aborted }) });
    };
    outgoing.once("close", close);
    // An answer behind others on its connection is told nothing of the connection's end.
    if (outgoing.socket === null) atEnd(socket).add(close);
    try {
      checkHost(incoming.headers.host);
      if (!always) {
        requests.take(client);
        taken = true;
        deadlines.set(outgoing, started + patience);
      }
      if (guarded) checkToken(incoming.headers.authorization);
      return await answer({
        c,
        client,
        onClose: (listener) => void (closed ? listener() : listeners.push(listener)),
        extend: (milliseconds) => void deadlines.set(outgoing, performance.now() + milliseconds),
      });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown instanceof AbuseError) options.punish(socket);
      if (thrown.status === 429 || thrown.status === 503) metrics.refuse(thrown.code);
      return new Response(errorBody(thrown.code, thrown.message), {
        status: thrown.status,
        headers: { ...apiHeaders, ...thrown.headers, ...(hasMuchToCome(incoming) && closeConnection) },
      });
    }
  };
}

/** Whether the rest of a body is too long to be read for nothing, or may never come: its reading was given up, or not allowed. */
function hasMuchToCome({ complete, headers, readableDidRead }: IncomingMessage): boolean {
  const length =
    headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;
  return !complete && (readableDidRead || headers.expect !== undefined || length > READ_FOR_NOTHING);
}

function cutOff(deadlines: ReadonlyMap<ServerResponse, number>): void {
  const now = performance.now();
  for (const [outgoing, deadline] of deadlines) if (now > deadline) outgoing.req.socket.destroy();
}
