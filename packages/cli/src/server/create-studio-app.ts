import { Hono } from "hono";
import type { BodyLimits } from "./body-limits.ts";
import { createExchange, type Env, type ExchangeOptions } from "./exchange.ts";
import { createMetrics } from "./metrics.ts";
import { type FaultLog, offerFiles, refuseTheRest, reply } from "./offer-files.ts";
import { type Asset, createAsset } from "./page-assets.ts";

/** What the studio is served with. */
export interface StudioOptions extends Omit<ExchangeOptions, "metrics"> {
  readonly version: string;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly limits: BodyLimits;
  readonly log: ExchangeOptions["log"] & FaultLog;
}

/** The page that makes models: files and nothing else, for all of it is computed in the browser. */
export function createStudioApp(options: StudioOptions): Hono<Env> {
  const { version, assets, limits, log } = options;
  const exchange = createExchange({ ...options, metrics: createMetrics([]) });
  const app = new Hono<Env>();
  const health = { route: "/health", guarded: false, always: true, patience: 0 };
  app.get("/health", (c) => exchange(c, health, () => reply(JSON.stringify({ status: "ok", version }))));
  const settings = createAsset(Buffer.from(JSON.stringify({ studio: true })), "application/json");
  const files = [
    { path: "/page.json", asset: settings, guarded: true },
    ...[...assets].map(([path, asset]) => ({ path, asset, guarded: false })),
  ];
  offerFiles(app, exchange, files, limits);
  const methods = new Map(["/health", ...files.map(({ path }) => path)].map((path) => [path, "GET, HEAD"]));
  refuseTheRest(app, exchange, methods, { limits, log });
  return app;
}
