import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { pipeline } from "node:stream/promises";
import { startCluster } from "../../packages/cli/test/support/clickhouse.ts";
import type { BenchSource } from "./bench-source.ts";

/** A table of a ClickHouse server, filled from a file of CSV. */
export async function clickhouseSource(file: string): Promise<BenchSource> {
  const cluster = await startCluster(1);
  const [{ run, url }] = cluster.shards;
  await run(
    "CREATE TABLE visits (id UInt64, age Int32, visits Int32, spend Nullable(Float64), member UInt8, plan String, region Nullable(String), product String, churned String) ENGINE = MergeTree ORDER BY id",
  );
  const filled = await fetch(
    `${url}/?query=${encodeURIComponent("INSERT INTO visits FORMAT CSVWithNames")}`,
    // Sent as it is read; the option is Node's own.
    { method: "POST", body: createReadStream(file) as never, duplex: "half" } as RequestInit,
  );
  if (!filled.ok) throw new Error(await filled.text());
  await run("CREATE TABLE few ENGINE = MergeTree ORDER BY id AS SELECT * FROM visits LIMIT 100");
  return {
    name: "ClickHouse",
    data: `${cluster.address}#visits`,
    few: `${cluster.address}#few`,
    into: "scores",
    ownResult: "own_scores",
    dialect: "clickhouse",
    table: "visits",
    count: async (columns) => {
      const parts = columns.map(
        (name, c) =>
          `SELECT ${c} AS place, toString(${name}) AS value, count() AS n FROM visits GROUP BY ${name}`,
      );
      await run(`SELECT count() FROM (${parts.join(" UNION ALL ")})`);
    },
    keep: async (query) => {
      await run(`CREATE TABLE own_scores ENGINE = MergeTree ORDER BY tuple() AS ${query}`);
    },
    toCsv: async (query, target) => {
      // Not by fetch, which takes minutes for a body of this size: it queues what is not yet written.
      const sent = request(url, { method: "POST" }).end(`${query} FORMAT CSVWithNames`);
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      await pipeline(answer, createWriteStream(target));
    },
    clear: async () => {
      for (const table of ["own_scores", "scores", "scores_runs"]) await run(`DROP TABLE IF EXISTS ${table}`);
    },
    stop: cluster.stop,
  };
}
