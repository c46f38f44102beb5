import { readFileSync } from "node:fs";
import {
  type AnyModel,
  type Calibration,
  type NumberCalibration,
  saveCalibration,
  saveModel,
} from "conformant";
import { createApp, createStudioApp } from "./create-app.ts";
import { Capacity } from "./exchange.ts";
import { InputCounts } from "./input-counts.ts";
import { createAsset, loadAssets } from "./page-assets.ts";
import { type PageOptions, pageSettings } from "./page-settings.ts";
import { createQueryPool } from "./query-pool.ts";
import type { BodyLimits } from "./read-body.ts";
import { createRequestLog } from "./request-log.ts";
import { type RunningServer, runServer } from "./run-server.ts";

/** What to serve, where, to whom and within which limits. */
export interface ServiceOptions {
  readonly host: string;
  /** Whether the host is reachable only from this machine. */
  readonly isLocal: boolean;
  /** 0 takes any free port. */
  readonly port: number;
  /** The bearer token to require. */
  readonly token: string | undefined;
  /** Whether all requests come from a proxy, which limits its clients itself. */
  readonly behindProxy: boolean;
  readonly limits: BodyLimits;
  readonly concurrency: number;
  /** Threads for long requests. */
  readonly threads: number;
  readonly page: PageOptions;
  /** Labeled rows for prediction sets or intervals; the page gets them only where they are shared with it. */
  readonly calibration?: Calibration | NumberCalibration | undefined;
  readonly sharesCalibration?: boolean;
  /** Called with the lines of the log. */
  readonly writeLog: (text: string) => void;
}

/** The most long bodies in memory at a time, and the longest response relative to such a body. */
const [BODIES, ANSWER_BODIES] = [8, 4];
/** Heap of a thread in MiB, or relative to the longest body, because parsed JSON is larger. */
const [THREAD_MEMORY, MEMORY_PER_BODY] = [512, 50];

/** Starts the page and the API of a model. */
export async function startService(model: AnyModel, options: ServiceOptions): Promise<RunningServer> {
  const { port, limits, concurrency, threads, page, calibration, sharesCalibration, writeLog, ...rest } =
    options;
  const modelText = saveModel(model);
  const calibrationText = calibration && saveCalibration(calibration);
  const shared = sharesCalibration ? calibrationText : undefined;
  const json = (text: string) => createAsset(Buffer.from(text), "application/json");
  const log = createRequestLog(writeLog);
  const guardedAssets = new Map([
    ["/model.json", json(modelText)],
    ["/page.json", json(JSON.stringify(pageSettings(model, page, shared !== undefined)))],
    ...(shared === undefined ? [] : [["/calibration.json", json(shared)] as const]),
  ]);
  const counts = new InputCounts(model);
  const pool = createQueryPool({
    modelText,
    calibrationText,
    countsMemory: counts.memory,
    threads,
    timeLimit: limits.milliseconds,
    longestAnswer: ANSWER_BODIES * limits.bytes,
    memory: Math.max(THREAD_MEMORY, Math.ceil((MEMORY_PER_BODY * limits.bytes) / 2 ** 20)),
    onFault: (error) => log.fault("(thread)", error),
  });
  const app = {
    ...rest,
    model,
    counts,
    limits,
    pool,
    log,
    capacity: new Capacity({ requests: concurrency, bytes: BODIES * limits.bytes }),
    version: version(),
    assets: loadAssets(),
    guardedAssets,
  };
  const server = await runServer(
    { host: rest.host, port, timeLimit: limits.milliseconds, close: pool.close },
    createApp(app),
  ).catch(async (thrown) => {
    await pool.close();
    throw thrown;
  });
  return flushing(server, log);
}

/** Starts the studio. */
export async function startStudio(options: Omit<ServiceOptions, "page" | "threads">): Promise<RunningServer> {
  const { port, limits, concurrency, writeLog, ...rest } = options;
  const log = createRequestLog(writeLog);
  const app = {
    ...rest,
    log,
    capacity: new Capacity({ requests: concurrency, bytes: limits.bytes }),
    version: version(),
    assets: loadAssets(),
  };
  const server = await runServer(
    { host: rest.host, port, timeLimit: limits.milliseconds, close: async () => undefined },
    createStudioApp(app),
  );
  return flushing(server, log);
}

/** Flushes the log when the server has ended. */
function flushing({ url, stop }: RunningServer, log: { readonly flush: () => void }): RunningServer {
  return {
    url,
    stop: async () => {
      await stop();
      log.flush();
    },
  };
}

function version(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
