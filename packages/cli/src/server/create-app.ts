import type { HttpBindings } from "@hono/node-server";
import type { Model } from "conformant";
import { type Context, Hono } from "hono";
import { answerLines } from "./answer-lines.ts";
import { answerRequest, type Route, type Service } from "./answer-request.ts";
import { ApiError, errorBody } from "./api-error.ts";
import { apiHeaders, hostCheck, pageHeaders, tokenCheck } from "./guard.ts";
import { openApi } from "./openapi.ts";
import { type Asset, createAsset } from "./page-assets.ts";
import type { QueryPool } from "./query-pool.ts";
import { type BodyLimits, contentType, LINES_TYPES, readBody } from "./read-body.ts";
import type { LogEntry } from "./request-log.ts";
import { requestSchemas } from "./request-schemas.ts";
import { summariseModel } from "./summarise-model.ts";

/** What the service serves, and within which limits. */
export interface AppOptions {
  readonly model: Model;
  readonly version: string;
  readonly host: string;
  readonly token: string | undefined;
  readonly limits: BodyLimits;
  /** Requests at the same time; more are told to come back. */
  readonly concurrency: number;
  readonly pool: QueryPool;
  /** The files of the page by address, and those that only someone with the token may read. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly guardedAssets: ReadonlyMap<string, Asset>;
  readonly log: {
    readonly add: (entry: LogEntry) => void;
    readonly fault: (route: string, error: unknown) => void;
  };
}

type Env = { Bindings: HttpBindings };
type Ask = Context<Env>;

/** Shorter predictions are made at once; all else may take long and goes to a thread. */
const AT_ONCE_BYTES = 65_536;

/** The service as an application of hono: the API and the page. */
export function createApp(options: AppOptions): Hono<Env> {
  const { model, version, token, assets, guardedAssets, log } = options;
  const { schema, label } = model.classifier;
  const schemas = requestSchemas(schema, label);
  const service: Service = { model, schemas };
  const documents = new Map<string, Asset>([
    ...guardedAssets,
    ["/model", jsonAsset(summariseModel(model))],
    ["/openapi.json", jsonAsset(openApi(schemas, version, token !== undefined))],
  ]);
  const health = JSON.stringify({ status: "ok", version });
  const guard = createGuard(options);

  const app = new Hono<Env>();
  for (const route of ["predict", "explain", "ask"] as const) {
    app.post(`/${route}`, (c) => guard(c, `/${route}`, true, () => answerPost(c, route, service, options)));
  }
  app.get("/health", (c) => guard(c, "/health", false, () => reply(health, 200, apiHeaders)));
  for (const [path, asset] of documents)
    app.get(path, (c) => guard(c, path, true, () => send(c, path, asset)));
  for (const [path, asset] of assets) app.get(path, (c) => guard(c, path, false, () => send(c, path, asset)));
  const methods = new Map([
    ...["/predict", "/explain", "/ask"].map((path) => [path, "POST"] as const),
    ...["/health", ...documents.keys(), ...assets.keys()].map((path) => [path, "GET, HEAD"] as const),
  ]);
  app.notFound((c) => guard(c, "(other)", false, () => refuseAddress(methods.get(c.req.path))));
  app.onError((error, c) => {
    log.fault(c.req.routePath, error);
    return reply(errorBody("internal", "something went wrong in the server"), 500, apiHeaders);
  });
  return app;
}

async function answerPost(c: Ask, route: Route, service: Service, options: AppOptions): Promise<Response> {
  const { limits, pool } = options;
  const { headers } = c.env.incoming; // as Node has them: an object of its own for them costs more than a prediction
  if (contentType(headers, route === "predict") === "lines") {
    const lines = answerLines(service, c.req.raw.body ?? new Blob([]).stream(), limits);
    return reply(lines, 200, { ...apiHeaders, "Content-Type": LINES_TYPES[0] });
  }
  const text = await readBody(c.req, headers, limits);
  const atOnce = route === "predict" && text.length <= AT_ONCE_BYTES && !text.includes('"sure"');
  const body = atOnce ? answerRequest(service, route, text) : await pool.answer(route, text);
  return reply(body, 200, apiHeaders);
}

type Handler = () => Response | Promise<Response>;

/** Around every answer: who may ask, how many at a time, refusals as JSON, and the log. */
function createGuard(options: AppOptions) {
  const checkHost = hostCheck(options.host);
  const checkToken = tokenCheck(options.token);
  let running = 0;
  return async (c: Ask, route: string, guarded: boolean, handler: Handler): Promise<Response> => {
    const started = performance.now();
    running++;
    c.env.outgoing.once("close", () => {
      running--;
      const { statusCode: status } = c.env.outgoing;
      const milliseconds = Math.round(1000 * (performance.now() - started)) / 1000;
      options.log.add({ method: c.req.method, route, status, milliseconds });
    });
    try {
      const { host, authorization } = c.env.incoming.headers;
      checkHost(host);
      if (running > options.concurrency) throw tooMany();
      if (guarded) checkToken(authorization);
      return await handler();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      return reply(errorBody(thrown.code, thrown.message), thrown.status, {
        ...apiHeaders,
        ...thrown.headers,
      });
    }
  };
}

/** A response. Hono's own helpers copy the headers one by one, which costs more than a prediction. */
function reply(body: BodyInit | null, status: number, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, { status, headers });
}

function tooMany(): ApiError {
  return new ApiError(503, "too-many-requests", "the server is busy; try again shortly", {
    "Retry-After": "1",
  });
}

function refuseAddress(allowed: string | undefined): never {
  if (allowed === undefined) throw new ApiError(404, "not-found", "there is nothing at this address");
  throw new ApiError(405, "wrong-method", `this address takes ${allowed}`, { Allow: allowed });
}

function jsonAsset(document: object): Asset {
  return createAsset(Buffer.from(JSON.stringify(document)), "application/json");
}

/** A file, compressed where the client takes it, or the word that nothing has changed. */
function send(c: Ask, path: string, { bytes, gzip, type, etag }: Asset): Response {
  const packed = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "") && gzip.length < bytes.length;
  const headers = {
    ...pageHeaders,
    "Content-Type": type,
    ETag: etag,
    Vary: "Accept-Encoding",
    // The names of files in assets/ hold a digest of their content, so they never change.
    "Cache-Control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
  };
  if (c.req.header("if-none-match") === etag) return reply(null, 304, headers);
  const body = new Uint8Array(packed ? gzip : bytes);
  return reply(body, 200, packed ? { ...headers, "Content-Encoding": "gzip" } : headers);
}
