import { createServer, type RequestListener, STATUS_CODES } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { CliError, systemError } from "../errors.ts";
import { Allowance } from "./allowance.ts";
import { ApiError, closeConnection, errorBody } from "./api-error.ts";
import type { BodyLimits } from "./body-limits.ts";
import { network } from "./client-address.ts";
import type { Env, ExchangeOptions } from "./exchange.ts";
import { apiHeaders } from "./guard.ts";
import { LastAnswers } from "./last-answers.ts";
import { Penalties } from "./penalties.ts";

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
/** Connections in all, and of one client. */
const [CONNECTIONS, CLIENT_CONNECTIONS] = [8192, 1024];

/** Connections that may wait to be taken; the system may allow fewer. */
const BACKLOG = 4096;
/** Requests on one connection that may come in one turn of the event loop. */
const PIPELINED = 16;

/** What is served, and to whom. */
export interface ServerOptions extends Pick<ExchangeOptions, "host" | "behindProxy"> {
  readonly limits: Pick<BodyLimits, "milliseconds">;
  /** @param punish ends a connection whose client abuses the protocol */
  readonly createApp: (punish: ExchangeOptions["punish"]) => Hono<Env>;
  /** What is to be closed at the end. */
  readonly close: () => Promise<void>;
}

/** Starts to listen; port 0 takes any free one. */
export async function runServer(options: ServerOptions, port: number): Promise<RunningServer> {
  const { host, behindProxy } = options;
  const penalties = new Penalties();
  /** A proxy is not punished for its clients. */
  const punish = (socket: Socket): void => {
    if (!behindProxy) penalties.punish(network(socket.remoteAddress ?? ""));
    socket.destroy();
  };
  const answer = getRequestListener(options.createApp(punish).fetch, {
    hostname: host,
    autoCleanupIncoming: false, // what is refused is not read on
    errorHandler: refuseHead,
  });
  const answers = new LastAnswers();
  const listener = limitPipelines((incoming, outgoing) => {
    answers.watch(outgoing);
    answer(incoming, outgoing);
  }, punish);
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
  server.on("connection", limitConnections(behindProxy ? CONNECTIONS : CLIENT_CONNECTIONS, penalties));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (thrown) => reject(listenError(host, port, thrown)));
    server.listen(port, host, BACKLOG, resolve);
  });
  const address = server.address();
  const actual = typeof address === "object" && address ? address.port : port;
  const stop = async (): Promise<void> => {
    // Connections are idle to Node as soon as their answer is written, though not sent; HTTP's own close ends them at once.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    answers.endConnections();
    const closeIdle = (): void => {
      if (!answers.areUnderWay) server.closeIdleConnections();
    };
    closeIdle();
    const idle = setInterval(closeIdle, 50);
    const late = setTimeout(() => server.closeAllConnections(), options.limits.milliseconds + 1000);
    await closed;
    clearInterval(idle);
    clearTimeout(late);
    await options.close();
  };
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}`, stop };
}

/**
 * Ends connections that bring many requests in one turn of the event loop, which keeps everyone else waiting; nobody who
 * waits for answers does.
 */
function limitPipelines(listener: RequestListener, onAbuse: (socket: Socket) => void): RequestListener {
  const inThisTurn = new Map<Socket, number>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    if (socket.destroyed || socket.writableEnded) return; // it was refused
    if (inThisTurn.size === 0) setImmediate(() => inThisTurn.clear());
    const count = (inThisTurn.get(socket) ?? 0) + 1;
    inThisTurn.set(socket, count);
    if (count <= PIPELINED) listener(incoming, outgoing);
    else onAbuse(socket);
  };
}

/** The answer where hono has none: to a request whose host or address cannot be read. */
function refuseHead(thrown: unknown): Response {
  const [status, body] =
    thrown instanceof RequestError
      ? [400, errorBody("invalid-request", "the host or the address of the request cannot be read")]
      : [500, errorBody("internal", "something went wrong in the server")];
  return new Response(body, { status, headers: { ...apiHeaders, ...closeConnection } });
}

/** Refuses connections beyond what one client, or all of them, may have, and those of clients that are not listened to. */
function limitConnections(perClient: number, penalties: Penalties): (socket: Socket) => void {
  const connections = new Allowance("connections", CONNECTIONS, perClient);
  return (socket) => {
    const client = network(socket.remoteAddress ?? "");
    try {
      connections.take(client);
      socket.once("close", () => connections.giveBack(client));
      penalties.check(client);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      refuseConnection(socket, thrown);
    }
  };
}

/** Answers before anything was asked, and closes. Some clients wait for ever where a connection just ends. */
function refuseConnection(socket: Socket, { status, code, message, headers }: ApiError): void {
  const body = errorBody(code, message);
  const lines = Object.entries({
    ...apiHeaders,
    ...headers,
    ...closeConnection,
    "Content-Length": Buffer.byteLength(body),
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
  socket.destroySoon();
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
