import { readFileSync } from "node:fs";
import { type Model, saveModel } from "conformant";
import { createAsset, loadAssets } from "./page-assets.ts";
import { type PageOptions, pageSettings } from "./page-settings.ts";
import { createQueryPool } from "./query-pool.ts";
import type { BodyLimits } from "./read-body.ts";
import { createRequestLog } from "./request-log.ts";
import { type RunningServer, runServer } from "./run-server.ts";

/** What is to be served, where, to whom and within which limits. */
export interface ServiceOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The bearer token to ask for. */
  readonly token: string | undefined;
  readonly limits: BodyLimits;
  readonly concurrency: number;
  /** Threads for what may take long. */
  readonly threads: number;
  readonly page: PageOptions;
  /** Takes the lines of the log. */
  readonly writeLog: (text: string) => void;
}

/** Starts the page and the API of a model. */
export async function startService(model: Model, options: ServiceOptions): Promise<RunningServer> {
  const { host, port, token, limits, concurrency, threads, page, writeLog } = options;
  const modelText = saveModel(model);
  const json = (text: string) => createAsset(Buffer.from(text), "application/json");
  const log = createRequestLog(writeLog);
  const guardedAssets = new Map([
    ["/model.json", json(modelText)],
    ["/page.json", json(JSON.stringify(pageSettings(model, page)))],
  ]);
  const pool = createQueryPool(modelText, threads, limits.milliseconds);
  const server = await runServer(
    {
      model,
      host,
      token,
      limits,
      concurrency,
      pool,
      log,
      version: version(),
      assets: loadAssets(),
      guardedAssets,
    },
    port,
  );
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      log.flush();
    },
  };
}

function version(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
