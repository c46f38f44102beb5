import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { CliError, systemError } from "../errors.ts";
import { closeConnection, errorBody } from "./api-error.ts";
import type { Env } from "./exchange.ts";
import { apiHeaders } from "./guard.ts";

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  /** Stops taking new requests, finishes the running ones, and ends. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds to send the headers of a request, and between two checks of this limit. */
const [HEADERS_MS, CHECK_MS] = [10_000, 1000];
/** Milliseconds that an idle connection is kept: longer than in common proxies, so that they are the ones to close it. */
const KEEP_ALIVE_MS = 65_000;
/** The most open connections, and the most that wait to be accepted; the system may allow fewer. */
const [CONNECTIONS, BACKLOG] = [8192, 4096];

export interface ServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Milliseconds for a body, and for a response. */
  readonly timeLimit: number;
  /** Called at the end. */
  readonly close: () => Promise<void>;
}

/** Starts to listen. */
export async function runServer(options: ServerOptions, app: Hono<Env>): Promise<RunningServer> {
  const { host, port, timeLimit } = options;
  const answer = getRequestListener(app.fetch, {
    hostname: host,
    autoCleanupIncoming: false, // the rest of a rejected request is not read
    errorHandler: refuseHead,
  });
  /** Responses that are not fully sent. Once the server stops, each is the last on its connection and says so. */
  const underWay = new Set<ServerResponse>();
  let isStopping = false;
  const listener: RequestListener = (incoming, outgoing) => {
    if (isStopping) outgoing.shouldKeepAlive = false;
    underWay.add(outgoing);
    outgoing.once("close", () => underWay.delete(outgoing));
    void answer(incoming, outgoing);
  };
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: 0, // bodies have their own limits
      connectionsCheckingInterval: CHECK_MS,
    },
    listener,
  );
  server.on("checkContinue", listener); // the reader of the body reports it first
  server.maxConnections = CONNECTIONS;
  // A body takes at most one time limit, a response another; with no traffic for longer, the client is gone.
  server.timeout = 3 * timeLimit;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (thrown) => reject(listenError(host, port, thrown)));
    server.listen(port, host, BACKLOG, resolve);
  });
  const address = server.address();
  const actual = typeof address === "object" && address ? address.port : port;
  const stop = async (): Promise<void> => {
    // Node considers a connection idle once its response is written, though not sent, so that closing idle connections would cut responses.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    isStopping = true;
    for (const outgoing of underWay) outgoing.shouldKeepAlive = false;
    const closeIdle = (): void => {
      if ([...underWay].every(({ req }) => req.socket.destroyed)) server.closeIdleConnections();
    };
    closeIdle();
    const idle = setInterval(closeIdle, 50);
    const late = setTimeout(() => server.closeAllConnections(), timeLimit + 1000);
    await closed;
    clearInterval(idle);
    clearTimeout(late);
    await options.close();
  };
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}`, stop };
}

/** The response to a request whose host or path cannot be parsed, for which hono has none. */
function refuseHead(thrown: unknown): Response {
  const [status, body] =
    thrown instanceof RequestError
      ? [400, errorBody("invalid-request", "the host or the address of the request cannot be read")]
      : [500, errorBody("internal", "something went wrong in the server")];
  return new Response(body, { status, headers: { ...apiHeaders, ...closeConnection } });
}

function listenError(host: string, port: number, thrown: unknown): CliError {
  const { code, message } = systemError(thrown);
  const why =
    {
      EADDRINUSE: "the port is taken",
      EACCES: "permission denied",
      EADDRNOTAVAIL: "this machine does not have this address",
    }[code] ?? message;
  return new CliError("connection", `cannot listen on ${host}:${port}: ${why}`, {
    hint: code === "EADDRINUSE" ? "--port names another, --port 0 takes any free one" : undefined,
    cause: thrown,
  });
}
