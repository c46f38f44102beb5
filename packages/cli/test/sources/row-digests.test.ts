import { afterAll, beforeAll, describe, test } from "vitest";
import { type Cluster, clickhouseProgram, startCluster } from "../support/clickhouse.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../support/postgres.ts";
import {
  clickhouseUpdates,
  csvUpdates,
  duckdbUpdates,
  expectNoticed,
  parquetUpdates,
  postgresUpdates,
} from "../support/random-updates.ts";
import { Workplace } from "../support/workplace.ts";

/** The slow test has a thousand of each. */
const UPDATES = 20;
const place = new Workplace();

describe.skipIf(clickhouseProgram === undefined || postgresPrograms === undefined)(
  "changed cells, swaps, moves, deletions and duplicates change the checksum of",
  () => {
    let cluster: Cluster;
    let server: PostgresServer;
    beforeAll(async () => {
      [cluster, server] = [await startCluster(1), await startPostgres()];
    });
    afterAll(async () => {
      await cluster?.stop();
      server?.stop();
    });
    test.each([
      ["a ClickHouse table", () => clickhouseUpdates(cluster)],
      ["a PostgreSQL table", () => postgresUpdates(server)],
      ["a DuckDB table", () => duckdbUpdates(place.folder)],
      ["a Parquet file", () => parquetUpdates(place.folder)],
      ["a CSV file", () => csvUpdates(place.folder)],
    ])("%s", (_, open) => expectNoticed(open(), UPDATES, 1));
  },
);
