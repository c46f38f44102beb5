import { type AnyModel, type Column, type Imputation, impute, isRegression, predict } from "conformant";
import { usualRange, valueLabels } from "conformant/internal";
import { isIndicatorColumn } from "conformant-workbench";
import { Hono } from "hono";
import { etag } from "hono/etag";
import { parseAccept } from "hono/utils/accept";
import { answerPost, type PostOptions } from "./answer-post.ts";
import { ApiError, errorBody, retryLater } from "./api-error.ts";
import { createExchange, type Env, type ExchangeOptions, type Terms } from "./exchange.ts";
import { apiHeaders, pageHeaders } from "./guard.ts";
import type { InputCounts } from "./input-counts.ts";
import { createMetrics, type Reading } from "./metrics.ts";
import { openApi } from "./openapi.ts";
import { type Asset, createAsset } from "./page-assets.ts";
import { requestSchemas } from "./request-schemas.ts";

/** Settings of the studio. */
export interface StudioOptions extends Omit<ExchangeOptions, "metrics"> {
  readonly version: string;
  /** The files of the page by URL path. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly log: ExchangeOptions["log"] & { readonly fault: (route: string, error: unknown) => void };
}

/** Settings of the service of a model. */
export interface AppOptions extends StudioOptions, Omit<PostOptions, "service" | "onFault"> {
  readonly model: AnyModel;
  readonly counts: InputCounts;
  /** Files that require the token. */
  readonly guardedAssets: ReadonlyMap<string, Asset>;
}

/** The service reports overload when a job has waited longer than this share of the time limit. */
const PATIENT_SHARE = 0.1;

/** The service as a hono application: the API and the page. */
export function createApp(options: AppOptions): Hono<Env> {
  const { model, counts, version, token, assets, guardedAssets, log } = options;
  const service = { model, schemas: requestSchemas(model), counts };
  const documents = new Map<string, Asset>([
    ...guardedAssets,
    ["/model", jsonAsset(summarizeModel(model))],
    ["/openapi.json", jsonAsset(openApi(model, service.schemas, version, token !== undefined))],
  ]);
  const metrics = createMetrics([...loadReadings(options), ...inputReadings(counts)]);
  const exchange = createExchange({ ...options, metrics });

  const app = new Hono<Env>();
  const questions = ["predict", "explain", "ask"] as const;
  for (const route of questions) {
    const terms: Terms = { route: `/${route}`, guarded: true };
    const post = { ...options, service, onFault: (error: unknown) => log.fault(terms.route, error) };
    app.post(terms.route, (c) => exchange(c, terms, (one) => answerPost(one, route, post)));
  }
  app.get("/ready", (c) =>
    exchange(c, { route: "/ready", guarded: false, always: true }, () => {
      requireRoom(options);
      return reply(JSON.stringify({ ready: true }));
    }),
  );
  app.get("/metrics", (c) =>
    exchange(c, { route: "/metrics", guarded: true, always: true }, () =>
      reply(metrics.text(), "text/plain; version=0.0.4; charset=utf-8"),
    ),
  );
  const files = [
    ...[...documents].map(([path, asset]) => ({ path, asset, guarded: true })),
    ...[...assets].map(([path, asset]) => ({ path, asset, guarded: false })),
  ];
  addFiles(app, exchange, files, options, {
    GET: ["/ready", "/metrics"],
    POST: questions.map((route) => `/${route}`),
  });
  return app;
}

/** The studio: only files, because everything is computed in the browser. */
export function createStudioApp(options: StudioOptions): Hono<Env> {
  const app = new Hono<Env>();
  const exchange = createExchange({ ...options, metrics: createMetrics([]) });
  const files = [
    { path: "/page.json", asset: jsonAsset({ studio: true }), guarded: true },
    ...[...options.assets].map(([path, asset]) => ({ path, asset, guarded: false })),
  ];
  addFiles(app, exchange, files, options, { GET: [], POST: [] });
  return app;
}

/** A file by its URL path, and whether it requires the token. */
interface OfferedFile {
  readonly path: string;
  readonly asset: Asset;
  readonly guarded: boolean;
}

/** Adds health checks and files, and rejects all other paths and methods. */
function addFiles(
  app: Hono<Env>,
  exchange: ReturnType<typeof createExchange>,
  files: readonly OfferedFile[],
  { version, log }: StudioOptions,
  others: Readonly<Record<"GET" | "POST", readonly string[]>>,
): void {
  const health = JSON.stringify({ status: "ok", version });
  app.get("/health", (c) =>
    exchange(c, { route: "/health", guarded: false, always: true }, () => reply(health)),
  );
  for (const { path, asset, guarded } of files) {
    app.get(path, etag(), (c) =>
      exchange(c, { route: path, guarded }, () => sendAsset(path, asset, c.req.header("accept-encoding"))),
    );
  }
  const methods = new Map([
    ...others.POST.map((path) => [path, "POST"] as const),
    ...["/health", ...others.GET, ...files.map(({ path }) => path)].map(
      (path) => [path, "GET, HEAD"] as const,
    ),
  ]);
  app.notFound((c) =>
    exchange(c, { route: "(other)", guarded: false }, () => {
      const allowed = methods.get(c.req.path);
      if (allowed === undefined) throw new ApiError(404, "not-found", "there is nothing at this address");
      throw new ApiError(405, "wrong-method", `this address takes ${allowed}`, { Allow: allowed });
    }),
  );
  app.onError((error, c) => {
    log.fault(c.req.routePath, error);
    return new Response(errorBody("internal", "something went wrong in the server"), {
      status: 500,
      headers: apiHeaders,
    });
  });
}

function reply(body: string, type = "application/json"): Response {
  return new Response(body, { headers: { ...apiHeaders, "Content-Type": type } });
}

/** A file, compressed where the client accepts it. hono's `etag` answers 304 where the client has it already. */
function sendAsset(path: string, { type, plain, gzip }: Asset, acceptEncoding = ""): Response {
  const packed = gzip !== undefined && prefersGzip(acceptEncoding) ? gzip : undefined;
  return new Response((packed ?? plain).bytes, {
    headers: {
      ...pageHeaders,
      "Content-Type": type,
      ETag: (packed ?? plain).etag,
      Vary: "Accept-Encoding",
      // File names in assets/ contain a digest of the content, so the files never change.
      "Cache-Control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      ...(packed && { "Content-Encoding": "gzip" }),
    },
  });
}

/** Whether gzip is accepted and not less preferred than no encoding (RFC 9110, 12.5.3). */
function prefersGzip(acceptEncoding: string): boolean {
  const accepted = parseAccept(acceptEncoding);
  const quality = (...names: string[]): number | undefined =>
    accepted.find(({ type }) => names.includes(type.toLowerCase()))?.q;
  const gzip = quality("gzip", "x-gzip") ?? quality("*") ?? 0;
  return gzip > 0 && gzip >= (quality("identity") ?? 0);
}

function jsonAsset(document: object): Asset {
  return createAsset(Buffer.from(JSON.stringify(document)), "application/json");
}

/** The public description of a model, without weights and log q. */
function summarizeModel(model: AnyModel) {
  const { schema, predictor, components, rows, certificate } = model;
  const marginals = impute(model, {});
  return {
    ...(predictor.label !== undefined && { label: predictor.label }),
    ...priorOf(model),
    columns: schema.columns
      .filter((column) => !isIndicatorColumn(column))
      .map((column) => ({
        name: column.name,
        kind: column.kind,
        ...valuesOf(column, marginals[column.name]),
      })),
    components: components.length,
    rows,
    certificate,
  };
}

/** What is predicted, and the prediction with nothing known. */
function priorOf(model: AnyModel): object {
  if (isRegression(model)) return { output: model.response.outputs[0], prior: predict(model, {}) };
  const prior = predict(model, {});
  return { classes: model.response.outputs.map((name) => ({ name, prior: prior[name] })) };
}

/** The values of a discrete column, or the usual range of a numeric one. */
function valuesOf(
  column: Column,
  marginal: Imputation,
): { values?: readonly string[]; range?: [number, number] } {
  if (column.kind !== "numeric") return { values: valueLabels(column) };
  return marginal.kind === "numeric" ? { range: usualRange(marginal) } : {};
}

/** How much the service has to do. */
function loadReadings({ capacity, pool }: AppOptions): Reading[] {
  return [
    { name: "requests_running", help: "Requests under way.", read: () => capacity.requests },
    { name: "body_bytes", help: "Bytes of long bodies and answers in memory.", read: () => capacity.bytes },
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
      read: () => Object.entries(pool.state().waiting),
    },
    { name: "queue_seconds", help: "Time the oldest job waits.", read: () => pool.state().oldest / 1000 },
    {
      name: "memory_bytes",
      help: "Memory of the process.",
      label: "kind",
      read: () => {
        const { rss, heapUsed, external } = process.memoryUsage();
        return Object.entries({ resident: rss, heap: heapUsed, external });
      },
    },
  ];
}

/** The rows to predict, and whether they differ from the training data. */
function inputReadings(counts: InputCounts): Reading[] {
  return [
    { name: "input_rows_total", type: "counter", help: "Rows to predict.", read: () => counts.rows },
    {
      name: "input_missing_total",
      type: "counter",
      help: "Rows to predict in which the column is missing.",
      label: "column",
      read: () => counts.columns().map(({ name, missing }) => [name, missing]),
    },
    {
      name: "input_unseen_total",
      type: "counter",
      help: "Rows to predict with an unknown category, or a number beyond the training range.",
      label: "column",
      read: () => counts.columns().map(({ name, unseen }) => [name, unseen]),
    },
    {
      name: "input_drift",
      help: "1 where the missing or unseen values since the start differ from training by more than chance explains.",
      label: "column",
      read: () => counts.drifts().map(([name, drifts]) => [name, drifts ? 1 : 0]),
    },
  ];
}

/** Rejects requests while a costly one would be rejected or would have to wait. */
function requireRoom({ capacity, pool, limits }: AppOptions): void {
  const late = pool.state().oldest > PATIENT_SHARE * limits.milliseconds;
  if (capacity.isExhausted || late) {
    throw new ApiError(503, "overloaded", "the server has more to do than it can", retryLater);
  }
}
