import { afterAll, beforeAll, describe, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import { succeed } from "../support/run.ts";
import { clickhouseBench, disturbRuns, duckdbBench, parquetBench, postgresBench } from "../support/runs.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const model = place.path("model.json");
/** Two hundred in all, or fewer at a time; another seed makes other rounds. */
const ROUNDS = Number(process.env.CONFORMANT_ROUNDS ?? 50);
const SEED = Number(process.env.CONFORMANT_SEED ?? 7);
const PATIENCE_MS = 3_600_000;

describe.skipIf(clickhouseProgram === undefined || postgresPrograms === undefined)(
  "two hundred rounds of kills, restarts, changed rows, other parts and two jobs at once",
  () => {
    let cluster: Cluster;
    let server: PostgresServer;

    beforeAll(async () => {
      const words = ["--label", "species", "--columns", "island,bill_length", "--components", "1"];
      succeed(["fit", place.path("penguins.csv"), ...words, "--numeric", "atoms", "-o", model]);
      [cluster, server] = [await startCluster(1), await startPostgres()];
    }, 60_000);
    afterAll(async () => {
      await cluster?.stop();
      server?.stop();
    });

    test.each([
      ["ClickHouse", () => clickhouseBench(cluster)],
      ["PostgreSQL", () => postgresBench(server)],
      ["a DuckDB file", () => duckdbBench(place.folder)],
      ["a folder of Parquet files", () => parquetBench(place.folder)],
    ])("leave each row once in %s", (_, bench) => disturbRuns(bench(), model, ROUNDS, SEED), PATIENCE_MS);
  },
);
