import { afterAll, beforeAll, describe, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { succeed } from "../support/run.ts";
import {
  clickhouseBench,
  duckdbBench,
  fileBench,
  killAtRandom,
  noticeUpdates,
  parquetBench,
  postgresBench,
} from "../support/runs.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const model = place.path("model.json");
const KILLS = Number(process.env.CONFORMANT_ROUNDS ?? 100);
const UPDATES = Number(process.env.CONFORMANT_UPDATES ?? 50);
const SEED = Number(process.env.CONFORMANT_SEED ?? 11);
const PATIENCE_MS = 7_200_000;

describe.skipIf(clickhouseProgram === undefined || postgresPrograms === undefined)("predict --into", () => {
  let cluster: Cluster;
  let server: PostgresServer;

  beforeAll(async () => {
    const words = ["--label", "species", "--columns", "island,bill_length", "--components", "1"];
    succeed(["fit", place.path("penguins.csv"), ...words, "--numeric", "atoms", "-o", model]);
    [cluster, server] = [await startCluster(1), await startPostgres()];
  }, 120_000);
  afterAll(async () => {
    await cluster?.stop();
    server?.stop();
  });

  const benches = [
    ["ClickHouse", () => clickhouseBench(cluster)],
    ["PostgreSQL", () => postgresBench(server)],
    ["a DuckDB file", () => duckdbBench(place.folder)],
    ["a folder of Parquet files", () => parquetBench(place.folder)],
  ] as const;
  test.each([...benches, ["a file of CSV", () => fileBench(place.folder)] as const])(
    "%s after a hundred kills: each row once, no leftover after the next run, every message true",
    (_, bench) => killAtRandom(bench(), model, place.folder, KILLS, SEED),
    PATIENCE_MS,
  );
  test.each(benches)(
    "%s notices fifty random updates",
    (_, bench) => noticeUpdates(bench(), model, UPDATES, SEED),
    PATIENCE_MS,
  );
});
