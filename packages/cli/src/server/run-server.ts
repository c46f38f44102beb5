import type { Server } from "node:http";
import { serve } from "@hono/node-server";
import { CliError, systemError } from "../errors.ts";
import { type AppOptions, createApp } from "./create-app.ts";

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  /** Takes no new requests, finishes the ones that are running, and ends. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds to send the headers of a request. */
const HEADERS_MS = 10_000;

/** Starts to listen; port 0 takes any free one. */
export async function runServer(options: AppOptions, port: number): Promise<RunningServer> {
  const app = createApp(options);
  const { host } = options;
  const server = await new Promise<Server>((resolve, reject) => {
    const listening = serve(
      {
        fetch: app.fetch,
        hostname: host,
        port,
        serverOptions: { headersTimeout: HEADERS_MS, requestTimeout: 0 },
      },
      () => resolve(listening),
    ) as Server;
    listening.once("error", (thrown) => reject(listenError(host, port, thrown)));
  });
  const address = server.address();
  const actual = typeof address === "object" && address ? address.port : port;
  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const late = setTimeout(() => server.closeAllConnections(), options.limits.milliseconds + 1000);
    await closed;
    clearInterval(idle);
    clearTimeout(late);
    await options.pool.close();
  };
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}`, stop };
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
