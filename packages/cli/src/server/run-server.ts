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
  /** Takes no new requests, finishes the ones that are running, and ends. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds to send the headers of a request, and between two looks at who does not. */
const [HEADERS_MS, CHECK_MS] = [10_000, 1000];
/** Milliseconds that an idle connection is kept: longer than by the usual proxies, so that it is they who close it. */
const KEEP_ALIVE_MS = 65_000;
/** Connections at a time, and connections that may wait to be taken; the system may allow fewer. */
const [CONNECTIONS, BACKLOG] = [8192, 4096];

export interface ServerOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Milliseconds for a body, and for an answer. */
  readonly timeLimit: number;
  /** What is to be closed at the end. */
  readonly close: () => Promise<void>;
}

/** Starts to listen. */
export async function runServer(options: ServerOptions, app: Hono<Env>): Promise<RunningServer> {
  const { host, port, timeLimit } = options;
  const answer = getRequestListener(app.fetch, {
    hostname: host,
    autoCleanupIncoming: false, // what is refused is not read on
    errorHandler: refuseHead,
  });
  /** Answers that are not sent yet. Once the server stops, each is the last on its connection, and says so. */
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
      requestTimeout: 0, // bodies have limits of their own
      connectionsCheckingInterval: CHECK_MS,
    },
    listener,
  );
  server.on("checkContinue", listener); // whoever reads the body says so first
  server.maxConnections = CONNECTIONS;
  // A body takes one time limit at most, an answer another; where nothing is sent or read for longer, the client is gone.
  server.timeout = 3 * timeLimit;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (thrown) => reject(listenError(host, port, thrown)));
    server.listen(port, host, BACKLOG, resolve);
  });
  const address = server.address();
  const actual = typeof address === "object" && address ? address.port : port;
  const stop = async (): Promise<void> => {
    // Connections are idle to Node as soon as their answer is written, though not sent; HTTP's own close ends them at once.
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

/** The answer where hono has none: to a request whose host or address cannot be read. */
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
      EADDRNOTAVAIL: "this machine has no such address",
    }[code] ?? message;
  return new CliError("connection", `cannot listen on ${host}:${port}: ${why}`, {
    hint: code === "EADDRINUSE" ? "--port names another, --port 0 takes any free one" : undefined,
    cause: thrown,
  });
}
