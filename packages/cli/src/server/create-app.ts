import type { Model } from "conformant";
import { Hono } from "hono";
import { answerPost, type PostOptions } from "./answer-post.ts";
import { ApiError, retryLater } from "./api-error.ts";
import { createExchange, type Env, type ExchangeOptions, type Terms } from "./exchange.ts";
import { createMetrics, type Gauge } from "./metrics.ts";
import { type FaultLog, offerFiles, refuseTheRest, reply } from "./offer-files.ts";
import { openApi } from "./openapi.ts";
import { type Asset, createAsset } from "./page-assets.ts";
import { requestSchemas } from "./request-schemas.ts";
import { summarizeModel } from "./summarize-model.ts";

/** What the service serves, and within which limits. */
export interface AppOptions
  extends Omit<ExchangeOptions, "metrics">,
    Omit<PostOptions, "service" | "onFault"> {
  readonly model: Model;
  readonly version: string;
  /** The files of the page by address, and those that only someone with the token may read. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly guardedAssets: ReadonlyMap<string, Asset>;
  readonly log: ExchangeOptions["log"] & FaultLog;
}

/** A job that waits longer than this share of the time limit is a sign that there are too many. */
const PATIENT_SHARE = 0.1;

/** The service as an application of hono: the API and the page. */
export function createApp(options: AppOptions): Hono<Env> {
  const { model, version, token, assets, guardedAssets, log, limits } = options;
  const {
    schema,
    predictor: { label },
  } = model;
  const service = { model, schemas: requestSchemas(schema, label) };
  const documents = new Map<string, Asset>([
    ...guardedAssets,
    ["/model", jsonAsset(summarizeModel(model))],
    ["/openapi.json", jsonAsset(openApi(service.schemas, version, token !== undefined))],
  ]);
  const metrics = createMetrics(gauges(options));
  const exchange = createExchange({ ...options, metrics });

  const app = new Hono<Env>();
  for (const route of ["predict", "explain", "ask"] as const) {
    // A body may take its time to arrive, an answer to be found, and then to be read.
    const terms: Terms = { route: `/${route}`, guarded: true, patience: 3 * limits.milliseconds };
    const post = { ...options, service, onFault: (error: unknown) => log.fault(terms.route, error) };
    app.post(terms.route, (c) => exchange(c, terms, (one) => answerPost(one, route, post)));
  }
  const always = { always: true, patience: 0 };
  const health = JSON.stringify({ status: "ok", version });
  app.get("/health", (c) =>
    exchange(c, { route: "/health", guarded: false, ...always }, () => reply(health)),
  );
  app.get("/ready", (c) =>
    exchange(c, { route: "/ready", guarded: false, ...always }, () => {
      requireRoom(options);
      return reply(JSON.stringify({ ready: true }));
    }),
  );
  app.get("/metrics", (c) =>
    exchange(c, { route: "/metrics", guarded: true, ...always }, () =>
      reply(metrics.text(), "text/plain; version=0.0.4; charset=utf-8"),
    ),
  );
  const files = [
    ...[...documents].map(([path, asset]) => ({ path, asset, guarded: true })),
    ...[...assets].map(([path, asset]) => ({ path, asset, guarded: false })),
  ];
  offerFiles(app, exchange, files, limits);
  const methods = new Map([
    ...["/predict", "/explain", "/ask"].map((path) => [path, "POST"] as const),
    ...["/health", "/ready", "/metrics", ...files.map(({ path }) => path)].map(
      (path) => [path, "GET, HEAD"] as const,
    ),
  ]);
  refuseTheRest(app, exchange, methods, { limits, log });
  return app;
}

function gauges({ requests, streams, memory, pool }: AppOptions): Gauge[] {
  return [
    { name: "requests_running", help: "Requests under way.", read: () => requests.used },
    { name: "streams_running", help: "Streams of JSON lines under way.", read: () => streams.used },
    { name: "body_bytes", help: "Bytes of long bodies and answers in memory.", read: () => memory.used },
    { name: "threads", help: "Threads for what takes long.", read: () => pool.state().threads },
    { name: "threads_busy", help: "Threads at work.", read: () => pool.state().busy },
    {
      name: "threads_replaced",
      help: "Threads ended since the start, as their work took too long or was not wanted any more.",
      read: () => pool.state().replaced,
    },
    {
      name: "queue_length",
      help: "Jobs that wait for a thread.",
      label: "pace",
      read: () => pool.state().waiting,
    },
    { name: "queue_seconds", help: "Time the oldest job waits.", read: () => pool.state().oldest / 1000 },
    {
      name: "memory_bytes",
      help: "Memory of the process.",
      label: "kind",
      read: () => {
        const { rss, heapUsed, external } = process.memoryUsage();
        return { resident: rss, heap: heapUsed, external };
      },
    },
  ];
}

/** Refuses where a request that takes some work would be refused, or wait. */
function requireRoom({ requests, pool, limits }: AppOptions): void {
  const late = pool.state().oldest > PATIENT_SHARE * limits.milliseconds;
  if (requests.exhausted || late) {
    throw new ApiError(503, "overloaded", "the server has more to do than it can", retryLater);
  }
}

function jsonAsset(document: object): Asset {
  return createAsset(Buffer.from(JSON.stringify(document)), "application/json");
}
